//! Changes of header fields between user and cell.

use http::header::{CONNECTION, CONTENT_LENGTH, EXPECT, HOST, UPGRADE, VIA};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};

use crate::wire;

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
    // The router reads the body itself, and so responses the expectation itself.
    if expects_continue(headers) {
        headers.remove(EXPECT);
    }
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
    // Whatever the method (RFC 9110 8.6).
    if status == StatusCode::NO_CONTENT {
        headers.remove(CONTENT_LENGTH);
    }
}

/// Whether these are the fields of a request to speak WebSocket from here on, or of the response
/// that agrees (RFC 6455 4): this protocol alone, and listed in `Connection`.
pub(crate) fn asks_for_websocket(headers: &HeaderMap) -> bool {
    let mut upgrades = headers.get_all(UPGRADE).iter();
    let (Some(upgrade), None) = (upgrades.next(), upgrades.next()) else { return false };
    upgrade.as_bytes().eq_ignore_ascii_case(wire::WEBSOCKET.as_bytes())
        && options(headers).any(|option| option.eq_ignore_ascii_case(wire::UPGRADE.as_bytes()))
}

/// Whether the sender ends the connection behind this message.
pub(crate) fn announces_end(headers: &HeaderMap) -> bool {
    options(headers).any(|option| option.eq_ignore_ascii_case(wire::CLOSE.as_bytes()))
}

fn ask_for_websocket(headers: &mut HeaderMap) {
    headers.insert(CONNECTION, HeaderValue::from_static(wire::UPGRADE));
    headers.insert(UPGRADE, HeaderValue::from_static(wire::WEBSOCKET));
}

/// The options that `Connection` lists.
fn options(headers: &HeaderMap) -> impl Iterator<Item = &[u8]> {
    headers
        .get_all(CONNECTION)
        .iter()
        .flat_map(|value| value.as_bytes().split(|&byte| byte == b','))
        .map(<[u8]>::trim_ascii)
}

fn is_one_hop(name: &str) -> bool {
    matches!(
        name,
        wire::CONNECTION
            | wire::KEEP_ALIVE
            | wire::PROXY_AUTHENTICATE
            | wire::PROXY_AUTHORIZATION
            | wire::PROXY_CONNECTION
            | wire::TE
            | wire::TRAILER
            | wire::TRANSFER_ENCODING
            | wire::UPGRADE
    )
}

fn is_internal(name: &str) -> bool {
    matches!(name, wire::REDIRECT | wire::CACHE)
}

fn is_forwarding(name: &str) -> bool {
    name == wire::FORWARDED || name.starts_with(wire::FORWARDED_FAMILY)
}

/// Whether an application could take the name for one of those that a user must not send: in the
/// variables of CGI, which Rack has as well, a hyphen and an underscore are the same
/// (CVE-2024-45614).
fn is_alias(name: &str) -> bool {
    if !name.contains('_') {
        return false;
    }
    let name = name.replace('_', "-");
    is_one_hop(&name)
        || is_internal(&name)
        || is_forwarding(&name)
        || name == CONTENT_LENGTH.as_str()
}

/// Removes all fields with such a name. Few messages have any, and to look through the names once
/// costs less than to look up each that could be there.
fn remove_all(headers: &mut HeaderMap, unwanted: impl Fn(&str) -> bool) {
    let names: Vec<_> = headers.keys().filter(|name| unwanted(name.as_str())).cloned().collect();
    for name in names {
        headers.remove(name);
    }
}

/// Whether the user waits for `100 Continue` before sending the body (RFC 9110 10.1.1).
pub(crate) fn expects_continue(headers: &HeaderMap) -> bool {
    headers.get(EXPECT).is_some_and(|value| value.as_bytes().eq_ignore_ascii_case(b"100-continue"))
}

/// Removes the fields that `Connection` lists, but for those without which the message would be
/// another one: to list these is an error of the sender, or an attack.
fn remove_listed(headers: &mut HeaderMap) {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(lines: &[(&str, &str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in lines {
            headers.append(
                HeaderName::try_from(*name).unwrap(),
                HeaderValue::try_from(*value).unwrap(),
            );
        }
        headers
    }

    fn names(headers: &HeaderMap) -> Vec<&str> {
        let mut names: Vec<_> = headers.keys().map(HeaderName::as_str).collect();
        names.sort_unstable();
        names
    }

    #[test]
    fn hop_by_hop_fields_are_removed_and_others_kept() {
        let mut sent = headers(&[
            ("host", "gitlab.example"),
            ("connection", "close, X-Secret"),
            ("connection", " ,x-more;"),
            ("x-secret", "1"),
            ("x-more", "1"),
            ("keep-alive", "5"),
            ("te", "trailers"),
            ("transfer-encoding", "chunked"),
            ("upgrade", "websocket"),
            ("proxy-connection", "x"),
            ("cookie", "a=1"),
            ("x-conformance-id", "7"),
            ("x-unknown", "1"),
            ("x-unknown", "2"),
        ]);
        of_request(&mut sent, Some(HeaderValue::from_static("127.0.0.1")));
        assert_eq!(
            names(&sent),
            [
                "cookie",
                "host",
                "via",
                "x-conformance-id",
                "x-forwarded-for",
                "x-forwarded-host",
                "x-forwarded-proto",
                "x-more",
                "x-unknown"
            ]
        );
        assert_eq!(sent.get_all("x-unknown").iter().count(), 2);
    }

    #[test]
    fn essential_fields_cannot_be_removed_by_connection() {
        let mut sent = headers(&[
            ("connection", "host, content-length"),
            ("host", "a"),
            ("content-length", "3"),
        ]);
        of_request(&mut sent, Some(HeaderValue::from_static("127.0.0.1")));
        assert!(sent.contains_key(HOST) && sent.contains_key(CONTENT_LENGTH));
    }

    #[test]
    fn internal_and_forwarding_fields_of_users_are_removed() {
        let mut sent = headers(&[
            ("x-gitlab-cell-redirect", "{cell:x}"),
            ("x-gitlab-cell-cache", "{path_prefix:/x}"),
            ("x-forwarded-for", "6.6.6.6"),
            ("x-forwarded-host", "evil"),
            ("x-forwarded-proto", "gopher"),
            ("x-forwarded-port", "70"),
            ("x-forwarded-ssl", "on"),
            ("forwarded", "for=6.6.6.6"),
            ("host", "gitlab.example"),
        ]);
        of_request(&mut sent, Some(HeaderValue::from_static("127.0.0.1")));
        assert_eq!(
            names(&sent),
            ["host", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto"]
        );
        assert_eq!(sent["x-forwarded-for"], "127.0.0.1");
        assert_eq!(sent["x-forwarded-host"], "gitlab.example");
        assert_eq!(sent["x-forwarded-proto"], "http");
    }

    #[test]
    fn websocket_is_the_only_upgrade() {
        let mut sent = headers(&[
            ("connection", "keep-alive, Upgrade, x-secret"),
            ("upgrade", "WebSocket"),
            ("x-secret", "1"),
        ]);
        of_request(&mut sent, None);
        assert_eq!(sent["connection"], "upgrade");
        assert_eq!(sent["upgrade"], "websocket");
        assert!(!sent.contains_key("x-secret"));
        for other in [
            &[("connection", "upgrade"), ("upgrade", "h2c")][..],
            &[("connection", "close"), ("upgrade", "websocket")],
            &[("upgrade", "websocket")],
            &[("connection", "upgrade"), ("upgrade", "websocket, h2c")],
            &[("connection", "upgrade"), ("upgrade", "websocket"), ("upgrade", "h2c")],
        ] {
            let mut sent = headers(other);
            of_request(&mut sent, None);
            assert!(!sent.contains_key("connection") && !sent.contains_key("upgrade"), "{other:?}");
        }
    }

    #[test]
    fn only_the_expectation_that_the_router_meets_is_removed() {
        for (value, stays) in
            [("100-continue", false), ("100-Continue", false), ("202-accepted", true)]
        {
            let mut sent = headers(&[("expect", value)]);
            of_request(&mut sent, Some(HeaderValue::from_static("127.0.0.1")));
            assert_eq!(sent.contains_key(EXPECT), stays, "{value}");
        }
    }

    #[test]
    fn cookies_of_an_response_stay_apart_and_internal_fields_go() {
        let mut response = headers(&[
            ("set-cookie", "a=1"),
            ("set-cookie", "b=2"),
            ("x-gitlab-cell-cache", "{path_prefix:/x}"),
            ("x-gitlab-cell-redirect", "{cell:x}"),
            ("x-gitlab-cell-redirect", "{cell:y}"),
            ("connection", "close"),
            ("content-length", "3"),
        ]);
        of_response(StatusCode::OK, &mut response);
        assert_eq!(names(&response), ["content-length", "set-cookie"]);
        assert_eq!(response.get_all("set-cookie").iter().count(), 2);
    }

    #[test]
    fn names_that_differ_in_underscores_alone_are_removed() {
        let mut sent = headers(&[
            ("host", "gitlab.example"),
            ("x_gitlab_cell_cache", "{path_prefix:/x}"),
            ("x-gitlab_cell-redirect", "{cell:x}"),
            ("content_length", "3"),
            ("transfer_encoding", "chunked"),
            ("x_forwarded_for", "6.6.6.6"),
            ("x_unknown", "1"),
        ]);
        of_request(&mut sent, None);
        assert_eq!(
            names(&sent),
            ["host", "via", "x-forwarded-host", "x-forwarded-proto", "x_unknown"]
        );
    }

    #[test]
    fn a_status_decides_about_lengths_and_protocols() {
        let sent = [("content-length", "3"), ("upgrade", "HTTP/2.0"), ("upgrade", "h2c")];
        for (status, left) in [
            (StatusCode::OK, &["content-length"][..]),
            (StatusCode::NOT_MODIFIED, &["content-length"]),
            (StatusCode::NO_CONTENT, &[]),
            (StatusCode::UPGRADE_REQUIRED, &["connection", "content-length", "upgrade"]),
        ] {
            let mut response = headers(&sent);
            of_response(status, &mut response);
            assert_eq!(names(&response), left, "{status}");
        }
    }
}
