//! A cell's response: checked to be one that can be passed on, and made one for the user.

mod location;

use std::time::Duration;

use bytes::Bytes;
use http::header::{CONNECTION, CONTENT_LENGTH, TRANSFER_ENCODING, UPGRADE};
use http::{HeaderMap, HeaderValue, Response, StatusCode, Version};
use http_body_util::{Either, Full};
use rand::RngExt as _;

use crate::cells::CellBody;
use crate::request::{
    ask_for_websocket, asks_for_websocket, is_one_hop, remove_all, remove_listed,
};
use crate::topology::Topology;
use crate::wire;

/// Why a response that parses is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadResponse {
    /// Two lengths, or a length beside chunks (Z-49).
    #[error("contradictory lengths")]
    Framing,
    /// A transfer coding besides `chunked`, which nobody asked for.
    #[error("unknown transfer coding")]
    Coding,
    /// A change of protocol that nobody asked for.
    #[error("change of protocol that nobody asked for")]
    Upgrade,
}

/// Checks what the parser leaves to others (Z-48, Z-49): it would take chunks beside a length, and
/// an unknown coding would reach the user undecoded, because `Transfer-Encoding` ends here.
///
/// # Errors
///
/// What is wrong with the response, which nobody may get.
pub(crate) fn check<B>(response: &Response<B>, websocket: bool) -> Result<(), BadResponse> {
    let headers = response.headers();
    let mut codings = headers.get_all(TRANSFER_ENCODING).iter();
    let chunked = wire::CHUNKED.as_bytes();
    match (codings.next(), codings.next()) {
        (None, _) => {}
        // Before HTTP/1.1 there were none (RFC 9112 6.1).
        (Some(coding), None)
            if response.version() == Version::HTTP_11
                && coding.as_bytes().eq_ignore_ascii_case(chunked) =>
        {
            if headers.contains_key(CONTENT_LENGTH) {
                return Err(BadResponse::Framing);
            }
        }
        _ => return Err(BadResponse::Coding),
    }
    let mut lengths = headers
        .get_all(CONTENT_LENGTH)
        .iter()
        .flat_map(|line| line.as_bytes().split(|&byte| byte == b','))
        .map(length);
    if let Some(first) = lengths.next()
        && (first.is_none() || lengths.any(|other| other != first))
    {
        return Err(BadResponse::Framing);
    }
    let switches = response.status() == StatusCode::SWITCHING_PROTOCOLS;
    if switches && !(websocket && asks_for_websocket(headers)) {
        return Err(BadResponse::Upgrade);
    }
    Ok(())
}

/// A length: digits alone.
fn length(text: &[u8]) -> Option<u64> {
    let text = std::str::from_utf8(text.trim_ascii()).ok()?;
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
}

/// The body of what the user gets: a cell's, or one that the router has made.
pub type UserBody = Either<CellBody, Full<Bytes>>;

/// Makes a cell's response the user's.
///
/// A 404 may be delayed by a random time: a private page and one that does not exist should take the
/// same (PR-05). Other responses are given at once.
pub async fn to_user(mut response: Response<UserBody>, topology: &Topology) -> Response<UserBody> {
    fields(&mut response, topology);
    let most = topology.not_found_delay;
    if response.status() == StatusCode::NOT_FOUND && !most.is_zero() {
        let delay = rand::rng().random_range(Duration::ZERO..=most);
        tokio::time::sleep(delay).await;
    }
    response
}

/// Makes the fields of a cell's response those of the response to the user: its internal fields
/// (Z-03), those of one connection and the addresses of cells go.
fn fields<B>(response: &mut Response<B>, topology: &Topology) {
    let status = response.status();
    // The version is that of the connection, which is the user's from here on.
    *response.version_mut() = Version::HTTP_11;
    let headers = response.headers_mut();
    location::hide_cells(headers, topology);
    let websocket = status == StatusCode::SWITCHING_PROTOCOLS && asks_for_websocket(headers);
    // What a 426 is about (RFC 9110 15.5.22).
    let required: Vec<HeaderValue> = match status {
        StatusCode::UPGRADE_REQUIRED => headers.get_all(UPGRADE).iter().cloned().collect(),
        _ => Vec::new(),
    };
    remove_listed(headers);
    remove_all(headers, |name| is_one_hop(name) || wire::is_internal(name));
    if websocket {
        ask_for_websocket(headers);
    } else if !required.is_empty() {
        headers.insert(CONNECTION, HeaderValue::from_static("upgrade"));
        for protocol in required {
            headers.append(UPGRADE, protocol);
        }
    }
    one_length(status, headers);
}

/// Leaves one length of equal ones (RFC 9112 6.3), and none where there is no body whatever the
/// method (RFC 9110 8.6, Z-78).
fn one_length(status: StatusCode, headers: &mut HeaderMap) {
    let first = headers.get(CONTENT_LENGTH).map(HeaderValue::as_bytes);
    let first = first.and_then(|line| length(line.split(|&byte| byte == b',').next()?));
    if status.is_informational() || status == StatusCode::NO_CONTENT {
        headers.remove(CONTENT_LENGTH);
    } else if let Some(length) = first {
        headers.insert(CONTENT_LENGTH, HeaderValue::from(length));
    }
}
