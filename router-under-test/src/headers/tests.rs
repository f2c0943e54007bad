use http::HeaderName;

use super::*;

fn headers(lines: &[(&str, &str)]) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for (name, value) in lines {
        headers
            .append(HeaderName::try_from(*name).unwrap(), HeaderValue::try_from(*value).unwrap());
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
    let mut sent =
        headers(&[("connection", "host, content-length"), ("host", "a"), ("content-length", "3")]);
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
        ("forwarded-for", "6.6.6.6"),
        ("client-ip", "6.6.6.6"),
        ("true-client-ip", "6.6.6.6"),
        ("x-client-ip", "6.6.6.6"),
        ("x-real-ip", "6.6.6.6"),
        ("x-scheme", "https"),
        ("front-end-https", "on"),
        ("x-original-url", "/admin"),
        ("x-rewrite-url", "/admin"),
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
fn no_cell_is_told_what_a_user_expects() {
    for value in ["100-continue", "100-Continue", "202-accepted", "100-continue, 202-accepted"] {
        let mut sent = headers(&[("expect", value)]);
        of_request(&mut sent, Some(HeaderValue::from_static("127.0.0.1")));
        assert!(!sent.contains_key(EXPECT), "{value}");
    }
}

#[test]
fn a_response_that_has_no_content_has_no_length() {
    for (status, stays) in [(101, false), (103, false), (204, false), (200, true), (304, true)] {
        let mut response = headers(&[("content-length", "5")]);
        of_response(StatusCode::from_u16(status).unwrap(), &mut response);
        assert_eq!(response.contains_key(CONTENT_LENGTH), stays, "{status}");
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
        ("forwarded_for", "6.6.6.6"),
        ("x_real_ip", "6.6.6.6"),
        ("x_unknown", "1"),
    ]);
    of_request(&mut sent, None);
    assert_eq!(names(&sent), ["host", "via", "x-forwarded-host", "x-forwarded-proto", "x_unknown"]);
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
