//! The response to a user, in a framing that the user understands.

use http::header::{CONNECTION, CONTENT_LENGTH, TRANSFER_ENCODING, UPGRADE};
use http::{HeaderMap, Method, Response, StatusCode};
use http_body::Body as _;
use tokio::net::tcp::OwnedWriteHalf;

use crate::base::body::Body;
use crate::base::deviate::deviate;
use crate::base::http1::cell::Raw;
use crate::base::http1::write::{self, Coding, Stopped};
use crate::base::router::Router;
use crate::deviation::Seam;
use crate::kind::{Mutation, Variation};

/// The parts of a request that the writing of its response depends on.
pub(super) struct Responding {
    pub(super) method: Method,
    pub(super) old: bool,
    pub(super) keep: bool,
}

impl Responding {
    /// The last response on a connection whose request is not known.
    pub(super) fn last() -> Self {
        Self { method: Method::GET, old: false, keep: false }
    }
}

/// Gives a response to the user.
pub(super) async fn give(
    router: &Router,
    writer: &mut OwnedWriteHalf,
    response: Response<Body>,
    responding: &Responding,
) -> Result<(), Stopped> {
    let taken = deviate(Seam::UserResponse, response).taken().await;
    let (response, again) = taken.ok_or(Stopped::Gone)?;
    if let Some(again) = again {
        written(router, writer, again, responding).await?;
    }
    written(router, writer, response, responding).await
}

/// Writes a response in a framing that the user understands.
async fn written(
    router: &Router,
    writer: &mut OwnedWriteHalf,
    response: Response<Body>,
    responding: &Responding,
) -> Result<(), Stopped> {
    let (parts, body) = response.into_parts();
    if parts.extensions.get::<Raw>().is_some() {
        return write::body(writer, body, Coding::Close).await.and(Err(Stopped::Gone));
    }
    let mut bodiless =
        responding.method == Method::HEAD || [204, 304].contains(&parts.status.as_u16());
    let switching = parts.status == StatusCode::SWITCHING_PROTOCOLS;
    bodiless &= !(router.has(Mutation::EndsEmptyResponsesWithAChunk)
        && parts.status != StatusCode::NOT_MODIFIED);
    bodiless &= !(router.has(Mutation::SendsABodyToHead) && responding.method == Method::HEAD);
    let modern = !responding.old || router.has(Mutation::SendsChunksToOldUsers);
    let coding = match body.size_hint().exact() {
        _ if bodiless || switching => Coding::Nothing,
        Some(length) if !router.has(Mutation::EndsEmptyResponsesWithAChunk) || length > 0 => {
            Coding::Length(length)
        }
        _ if modern => Coding::Chunked,
        _ => Coding::Close,
    };
    let mut head = format!(
        "HTTP/1.1 {} {}\r\n",
        parts.status.as_u16(),
        parts.status.canonical_reason().unwrap_or("")
    )
    .into_bytes();
    let stands_for_content = bodiless && parts.status != StatusCode::NO_CONTENT;
    let keeps_length =
        stands_for_content || (switching && router.has(Mutation::KeepsTheLengthOfA101));
    let mut headers = framed(parts.headers, coding, keeps_length);
    if router.has(Mutation::ZeroesLengthsOfHead) && bodiless && headers.contains_key(CONTENT_LENGTH)
    {
        headers.insert(CONTENT_LENGTH, 0.into());
    }
    write::fields(&mut head, &headers, router.differs(Variation::TitleCaseNames));
    if !switching && (!responding.keep || coding == Coding::Close) {
        write::field(&mut head, "connection", b"close");
    }
    head.extend_from_slice(b"\r\n");
    write::bytes(writer, &head).await?;
    write::body(writer, body, coding).await
}

/// The fields, with those of the body's framing. A response to HEAD or a 304 keeps the length of the
/// body it stands for; a 204 and a 101 stand for none (RFC 9110 8.6).
fn framed(mut headers: HeaderMap, coding: Coding, keeps_length: bool) -> HeaderMap {
    headers.remove(TRANSFER_ENCODING);
    if !keeps_length {
        headers.remove(CONTENT_LENGTH);
    }
    match coding {
        Coding::Length(length) => {
            headers.insert(CONTENT_LENGTH, length.into());
        }
        Coding::Chunked => {
            headers.insert(TRANSFER_ENCODING, http::HeaderValue::from_static("chunked"));
        }
        Coding::Nothing | Coding::Close | Coding::ChunksInChunks => {}
    }
    if let Some(protocol) = headers.remove(UPGRADE) {
        headers.insert(CONNECTION, http::HeaderValue::from_static("upgrade"));
        headers.insert(UPGRADE, protocol);
    }
    headers
}
