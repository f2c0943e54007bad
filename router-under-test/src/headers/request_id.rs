//! A name for each request, under which the router, cells and logs know it.

use http::{HeaderMap, HeaderName, HeaderValue};

use crate::wire;

/// Longest id that is taken from a proxy; applications cut longer ones.
const LONGEST: usize = 255;

/// The id of a request: that of a trusted proxy, where it sent a valid one, else a new one. What
/// anybody else sends does not count, because they could repeat the id of another request.
pub(crate) fn of(headers: &HeaderMap, is_trusted: bool) -> HeaderValue {
    sent(headers).filter(|_| is_trusted).unwrap_or_else(new)
}

/// Adds the id to the fields, and removes what an application could take for it.
pub(crate) fn put(headers: &mut HeaderMap, id: &HeaderValue) {
    let name = wire::REQUEST_ID_HEADER;
    let is_alias = |other: &&HeaderName| {
        other.as_str().contains('_') && other.as_str().replace('_', "-") == name.as_str()
    };
    let aliases: Vec<_> = headers.keys().filter(is_alias).cloned().collect();
    for alias in aliases {
        headers.remove(alias);
    }
    headers.insert(name, id.clone());
}

/// The one valid id that was sent.
fn sent(headers: &HeaderMap) -> Option<HeaderValue> {
    let mut lines = headers.get_all(wire::REQUEST_ID_HEADER).iter();
    let (Some(id), None) = (lines.next(), lines.next()) else { return None };
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.".contains(byte);
    let is_valid = (1..=LONGEST).contains(&id.len()) && id.as_bytes().iter().all(is_plain);
    is_valid.then(|| id.clone())
}

/// 128 random bits.
fn new() -> HeaderValue {
    let id = format!("{:032x}", rand::random::<u128>());
    // Digits are always a valid value.
    HeaderValue::try_from(id).unwrap_or(HeaderValue::from_static("0"))
}
