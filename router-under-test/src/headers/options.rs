//! What `Connection` lists, and the change to WebSocket.

use http::header::{CONNECTION, CONTENT_LENGTH, HOST, UPGRADE};
use http::{HeaderMap, HeaderName, HeaderValue};

use crate::wire;

/// Whether these are the fields of a request to speak WebSocket from here on, or of the response
/// that agrees (RFC 6455 4): this protocol alone, and listed in `Connection`.
pub(crate) fn asks_for_websocket(headers: &HeaderMap) -> bool {
    let mut upgrades = headers.get_all(UPGRADE).iter();
    let (Some(upgrade), None) = (upgrades.next(), upgrades.next()) else { return false };
    upgrade.as_bytes().eq_ignore_ascii_case(wire::WEBSOCKET.as_bytes())
        && options(headers).any(|option| option.eq_ignore_ascii_case(wire::UPGRADE.as_bytes()))
}

/// Whether the sender ends the connection after this message.
pub(crate) fn announces_end(headers: &HeaderMap) -> bool {
    options(headers).any(|option| option.eq_ignore_ascii_case(wire::CLOSE.as_bytes()))
}

/// Whether a sender of HTTP/1.0 means the connection to stay (RFC 9112 9.3).
pub(crate) fn asks_to_stay(headers: &HeaderMap) -> bool {
    !announces_end(headers)
        && options(headers).any(|option| option.eq_ignore_ascii_case(wire::KEEP_ALIVE.as_bytes()))
}

/// Makes them the fields of such a request, or of the response that agrees.
pub(super) fn ask_for_websocket(headers: &mut HeaderMap) {
    headers.insert(CONNECTION, HeaderValue::from_static(wire::UPGRADE));
    headers.insert(UPGRADE, HeaderValue::from_static(wire::WEBSOCKET));
}

/// Removes the fields that `Connection` lists, but for those without which the message would be
/// another one: to list these is an error of the sender, or an attack.
pub(super) fn remove_listed(headers: &mut HeaderMap) {
    if !headers.contains_key(CONNECTION) {
        return;
    }
    let listed: Vec<HeaderName> = options(headers)
        // Nearly all messages list no field here.
        .filter(|option| {
            !option.eq_ignore_ascii_case(wire::KEEP_ALIVE.as_bytes())
                && !option.eq_ignore_ascii_case(wire::CLOSE.as_bytes())
        })
        .filter_map(|option| HeaderName::from_bytes(option).ok())
        .filter(|name| *name != HOST && *name != CONTENT_LENGTH)
        .collect();
    for name in listed {
        headers.remove(name);
    }
}

/// The options that `Connection` lists.
fn options(headers: &HeaderMap) -> impl Iterator<Item = &[u8]> {
    headers
        .get_all(CONNECTION)
        .iter()
        .flat_map(|value| value.as_bytes().split(|&byte| byte == b','))
        .map(<[u8]>::trim_ascii)
}
