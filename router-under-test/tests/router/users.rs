//! Users whose requests are truncated, or refused before they have sent all.

use std::net::Shutdown;

use serde_json::json;
use wiremock::MockServer;

use crate::support::*;

fn echo() -> MockServer {
    cell(|request| ok(&format!("{} {}", request.url.path(), request.body.escape_ascii())))
}

#[test]
fn no_cell_takes_a_truncated_body_for_complete() {
    for protocol in ["buffering", "learning"] {
        let cell = echo();
        let router = Router::start(&topology(protocol, &[("eu0", *cell.address())]), &[]);
        for (rest, refused) in [
            ("Content-Length: 10\r\n\r\nab", false),
            ("Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n", false),
            ("Transfer-Enc", false),
            ("Transfer-Encoding: chunked\r\n\r\nzz\r\n", true),
            ("Transfer-Encoding: chunked\r\n\r\n2\r\nabc0\r\n\r\n", true),
        ] {
            let mut user = router.user();
            // Any cell serves `/`.
            user.send(format!("PUT / HTTP/1.1\r\nHost: h\r\n{rest}"));
            if !refused {
                user.stream.shutdown(Shutdown::Write).unwrap();
            }
            let response = user.message();
            assert!(response.as_ref().is_none_or(|response| response.status() == 400), "{rest}");
            assert!(response.is_some() || !refused, "{protocol}: {rest}");
            assert!(user.has_ended(), "{rest}");
        }
        assert_eq!(requests(&cell).len(), 0, "{protocol}");
    }
}

#[test]
fn a_refusal_of_a_body_that_still_comes_arrives_whole() {
    let cell = echo();
    let mut topology = topology("buffering", &[("eu0", *cell.address())]);
    topology["limits"]["max_buffered_body_bytes"] = json!(10);
    let router = Router::start(&topology, &[]);
    for (expect, body) in [("Expect: 100-continue\r\n", 0), ("", 1_000_000)] {
        let mut user = router.user();
        user.send(format!("PUT /x HTTP/1.1\r\nHost: h\r\n{expect}Content-Length: 1000000\r\n\r\n"));
        // The router takes what comes behind its refusal, until the user has read that.
        user.send("x".repeat(body));
        let response = user.message().unwrap();
        assert_eq!((response.status(), response.is_whole), (413, true));
        assert_eq!(response.field("connection"), Some("close"));
        assert!(user.has_ended());
    }
    let mut user = router.user();
    user.send("PUT /x HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n");
    assert_eq!(user.head().unwrap().status(), 100);
    assert_eq!(user.ask("abc").text(), "/x abc");
}
