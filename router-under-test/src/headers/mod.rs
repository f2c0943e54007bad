//! Changes of header fields between user and cell.

mod forwarded;
pub(crate) mod member_list;
mod names;
mod options;
pub(crate) mod request_id;
#[cfg(test)]
mod tests;

use http::header::{CONNECTION, CONTENT_LENGTH, EXPECT, HOST, UPGRADE, VIA};
use http::{HeaderMap, HeaderValue, StatusCode};

use crate::wire;
pub(crate) use forwarded::Peer;
use names::{is_alias, is_forwarding, is_internal, is_one_hop};
pub(crate) use options::{announces_end, asks_for_websocket, asks_to_stay};
use options::{ask_for_websocket, remove_listed};

/// Makes the fields of a user's request those of the request to a cell.
///
/// The internal fields are dropped, because a user must not speak for a cell (Z-04). What a user
/// says about the way here is dropped too: users reach this router directly (RT-05), so nobody whom
/// a cell could trust has written it (Z-26). `Host` stays, and is what a cell makes public
/// addresses of; it is told as `X-Forwarded-Host` as well, with `X-Forwarded-Proto`, for cells that
/// look there first.
///
/// Of all changes of protocol only WebSocket is passed on (Z-23); see [`asks_for_websocket`].
pub(crate) fn of_request(headers: &mut HeaderMap, peer: Option<HeaderValue>) {
    let websocket = asks_for_websocket(headers);
    remove_listed(headers);
    remove_all(headers, |name| {
        is_one_hop(name) || is_internal(name) || is_forwarding(name) || is_alias(name)
    });
    // The router reads the body itself, so it also responds to the expectation. What else a user
    // expects, a cell could read in another way (Z-67).
    headers.remove(EXPECT);
    if let Some(peer) = peer {
        headers.insert(wire::FORWARDED_FOR_HEADER, peer);
    }
    if let Some(host) = headers.get(HOST).cloned() {
        headers.insert(wire::FORWARDED_HOST_HEADER, host);
    }
    headers.insert(wire::FORWARDED_PROTO_HEADER, HeaderValue::from_static(wire::HTTP));
    if websocket {
        ask_for_websocket(headers);
    }
    headers.append(VIA, HeaderValue::from_static(wire::VIA));
}

/// Makes the fields of a cell's response those of the response to the user (Z-03).
///
/// An agreement to speak WebSocket stays: where the status says otherwise, it has been removed
/// before.
pub(crate) fn of_response(status: StatusCode, headers: &mut HeaderMap) {
    let websocket = asks_for_websocket(headers);
    // What a 426 is about (RFC 9110 15.5.22).
    let required: Vec<HeaderValue> = match status {
        StatusCode::UPGRADE_REQUIRED => headers.get_all(UPGRADE).iter().cloned().collect(),
        _ => Vec::new(),
    };
    remove_listed(headers);
    remove_all(headers, |name| is_one_hop(name) || is_internal(name));
    if websocket {
        ask_for_websocket(headers);
    } else if !required.is_empty() {
        headers.insert(CONNECTION, HeaderValue::from_static(wire::UPGRADE));
        required.into_iter().for_each(|protocol| {
            headers.append(UPGRADE, protocol);
        });
    }
    // Whatever the method (RFC 9110 8.6, Z-78).
    if status.is_informational() || status == StatusCode::NO_CONTENT {
        headers.remove(CONTENT_LENGTH);
    }
}

/// Whether the user waits for `100 Continue` before sending the body (RFC 9110 10.1.1).
pub(crate) fn expects_continue(headers: &HeaderMap) -> bool {
    headers.get(EXPECT).is_some_and(|value| value.as_bytes().eq_ignore_ascii_case(b"100-continue"))
}

/// Removes all fields with such a name. Few messages have any, and to look through the names once
/// costs less than to look up each that could be there.
fn remove_all(headers: &mut HeaderMap, unwanted: impl Fn(&str) -> bool) {
    let names: Vec<_> = headers.keys().filter(|name| unwanted(name.as_str())).cloned().collect();
    for name in names {
        headers.remove(name);
    }
}
