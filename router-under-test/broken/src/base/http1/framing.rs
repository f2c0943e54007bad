//! How a body ends, by the fields of its head (RFC 9112 6.3).

use http::header::{CONTENT_LENGTH, TRANSFER_ENCODING};
use http::{HeaderMap, HeaderValue, Method, StatusCode};

use crate::base::http1::frame::Framing;
use crate::base::http1::head_error::{HeadError, bad};
use crate::kind::Mutation;

/// The rules of RFC 9112 6.3; ambiguity is a refusal (Z-54, Z-55, Z-56).
pub(super) fn request_framing(
    headers: &HeaderMap,
    old: bool,
    mutation: Option<Mutation>,
) -> Result<Framing, HeadError> {
    let mut lengths = headers.get_all(CONTENT_LENGTH).iter();
    if let Some(coding) = request_coding(headers, mutation) {
        if mutation == Some(Mutation::GoesByTheLengthBesideChunks)
            && let Some(length) = lengths.next()
        {
            return length_of(length).map(Framing::Length).ok_or(bad("no length"));
        }
        if lengths.next().is_some()
            && !matches!(
                mutation,
                Some(
                    Mutation::AcceptsLengthWithChunks
                        | Mutation::KeepsTheLengthBesideChunks
                        | Mutation::FindsChunkedAnywhere
                )
            )
        {
            return Err(bad("both a length and chunks"));
        }
        return match coding {
            Coding::Chunked if !old => Ok(Framing::Chunked),
            _ => Err(HeadError { status: StatusCode::NOT_IMPLEMENTED, reason: "another coding" }),
        };
    }
    match (lengths.next(), lengths.next()) {
        (None, _) => Ok(Framing::None),
        (Some(length), None) => length_of(length).map(Framing::Length).ok_or(bad("no length")),
        (Some(length), Some(_)) if mutation == Some(Mutation::AcceptsTwoLengths) => {
            length_of(length).map(Framing::Length).ok_or(bad("no length"))
        }
        (_, Some(length)) if mutation == Some(Mutation::TakesTheLastLengthOfRequests) => {
            length_of(length).map(Framing::Length).ok_or(bad("no length"))
        }
        _ => Err(bad("two lengths")),
    }
}

/// Whether a request is chunked; the mutation searches for the word in the coding.
fn request_coding(headers: &HeaderMap, mutation: Option<Mutation>) -> Option<Coding> {
    let found = coding(headers, mutation == Some(Mutation::KnowsChunkedInLowerCase))?;
    let line = headers
        .get(TRANSFER_ENCODING)
        .map(|line| line.as_bytes().to_ascii_lowercase())
        .unwrap_or_default();
    let has_word = line.windows(7).any(|word| word == b"chunked");
    let has_parameter = line.starts_with(b"chunked;");
    Some(match mutation {
        Some(Mutation::FindsChunkedAnywhere) if has_word => Coding::Chunked,
        Some(Mutation::ReadsChunksWithParameters) if has_parameter => Coding::Chunked,
        _ => found,
    })
}

/// How the response's body ends; ambiguous framing is an invalid response (Z-48, Z-49).
pub(crate) fn response_framing(
    status: StatusCode,
    headers: &HeaderMap,
    method: &Method,
    mutation: Option<Mutation>,
) -> Result<Framing, HeadError> {
    let bodiless = method == Method::HEAD || status == StatusCode::NOT_MODIFIED;
    if status.is_informational()
        || status == StatusCode::NO_CONTENT
        || (bodiless && mutation != Some(Mutation::WaitsForBodiesThatDoNotCome))
    {
        return Ok(Framing::None);
    }
    let lengths: Vec<&HeaderValue> = headers.get_all(CONTENT_LENGTH).iter().collect();
    match (
        coding(headers, mutation == Some(Mutation::KnowsChunkedOfCellsInLowerCase)),
        &lengths[..],
    ) {
        (Some(Coding::Chunked), []) => Ok(Framing::Chunked),
        (None, []) if bodiless => Ok(Framing::None),
        (None, []) => Ok(Framing::UntilClose),
        (None, [length]) => length_of(length).map(Framing::Length).ok_or(bad("no length")),
        (None, [first, .., last]) => {
            let taken = match mutation {
                Some(Mutation::TakesTheFirstLength) => first,
                Some(Mutation::TakesTheLastLength) => last,
                _ => return Err(bad("two lengths")),
            };
            length_of(taken).map(Framing::Length).ok_or(bad("no length"))
        }
        _ => Err(bad("no framing that can be read")),
    }
}

enum Coding {
    Chunked,
    Other,
}

fn coding(headers: &HeaderMap, to_the_letter: bool) -> Option<Coding> {
    let mut lines = headers.get_all(TRANSFER_ENCODING).iter();
    match (lines.next()?, lines.next()) {
        (line, None)
            if line == "chunked"
                || (!to_the_letter && line.as_bytes().eq_ignore_ascii_case(b"chunked")) =>
        {
            Some(Coding::Chunked)
        }
        _ => Some(Coding::Other),
    }
}

fn length_of(value: &HeaderValue) -> Option<u64> {
    let text = value.to_str().ok().filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()))?;
    text.parse().ok()
}
