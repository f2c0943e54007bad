//! Users who send invalid requests, requests in small pieces, or truncated ones.

mod support;

use std::io::{Read as _, Write as _};
use std::net::Shutdown;
use std::time::Duration;

use serde_json::json;
use support::cell::{Cell, Then, ok, response};
use support::message::Message;
use support::router::Router;
use support::single::{in_front_of, one_cell};

fn echo() -> Cell {
    Cell::responding(|request| {
        ok(&format!("{} {}", request.target(), String::from_utf8_lossy(&request.body)))
    })
}

#[test]
fn invalid_heads_reach_no_cell_and_close_the_connection() {
    let cell = echo();
    let router = in_front_of(&cell);
    let field =
        |length: usize| format!("GET /x HTTP/1.1\r\nHost: h\r\nX: {}\r\n\r\n", "y".repeat(length));
    for (head, status) in [
        ("GET /x HTTP/1.1\nHost: h\n\n".to_owned(), 400),
        ("GET /x HTTP/1.1\r\nHost: h\nX: y\r\n\r\n".to_owned(), 400),
        ("GET /x HTTP/1.1\r\nHost: h\r\nX: a\rb\r\n\r\n".to_owned(), 400),
        ("GET /x HTTP/1.1\r\nHost: h\r\nX: a\0b\r\n\r\n".to_owned(), 400),
        ("GET /x HTTP/1.1\r\nHost : h\r\n\r\n".to_owned(), 400),
        ("GET /x HTTP/1.1\r\nHost: a/b\r\n\r\n".to_owned(), 400),
        ("GET /x HTTP/1.1\r\nHost: h\r\n : y\r\n\r\n".to_owned(), 400),
        ("GET /x#y HTTP/1.1\r\nHost: h\r\n\r\n".to_owned(), 400),
        ("GET h:80 HTTP/1.1\r\nHost: h:80\r\n\r\n".to_owned(), 400),
        ("CONNECT h:80 HTTP/1.1\r\nHost: h:80\r\n\r\n".to_owned(), 400),
        ("CONNECT /x HTTP/1.1\r\nHost: h\r\n\r\n".to_owned(), 400),
        (
            "POST /x HTTP/1.0\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n".to_owned(),
            400,
        ),
        ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_owned(), 400),
        (field(70_000), 431),
        (field(500_000), 431),
        (format!("GET /x HTTP/1.1\r\nHost: h\r\n{}\r\n", "X: y\r\n".repeat(100)), 431),
        (format!("GET /{} HTTP/1.1\r\nHost: h\r\n\r\n", "x".repeat(70_000)), 414),
    ] {
        let mut user = router.user();
        user.send("GET /before HTTP/1.1\r\nHost: h\r\n\r\n");
        assert_eq!(user.response().text(), "/before ");
        // The router may have responded and closed before the last byte was sent.
        let _ = user
            .stream
            .write_all((head.clone() + "GET /after HTTP/1.1\r\nHost: h\r\n\r\n").as_bytes());
        let response = user.response();
        let shown = &head[..head.len().min(60)];
        assert_eq!(
            (response.status(), response.header("connection")),
            (status, Some("close")),
            "{shown:?}"
        );
        assert_eq!(user.reader.read(&mut [0]).unwrap_or(0), 0, "{shown:?}");
    }
    assert!(cell.lines().iter().all(|line| line == "GET /before HTTP/1.1"), "{:?}", cell.lines());
}

#[test]
fn targets_that_are_not_uris_are_refused() {
    let cell = echo();
    let router = in_front_of(&cell);
    for target in [&b"/<x>"[..], b"/\xff", b"/x\xc3?y", b"http://h/\xff"] {
        let mut user = router.user();
        user.send(
            [
                b"GET ",
                target,
                b" HTTP/1.1\r\nHost: h\r\n\r\nGET /after HTTP/1.1\r\nHost: h\r\n\r\n",
            ]
            .concat(),
        );
        assert_eq!(user.response().status(), 400, "{}", target.escape_ascii());
        assert_eq!(user.reader.read(&mut [0]).unwrap_or(0), 0, "{}", target.escape_ascii());
    }
    assert_eq!(cell.lines(), [""; 0]);
}

#[test]
fn earlier_pipelined_requests_get_their_responses_before_a_refusal() {
    let cell = echo();
    let router = in_front_of(&cell);
    let mut user = router.user();
    user.send(
        "GET /1 HTTP/1.1\r\nHost: h\r\n\r\nPOST /2 HTTP/1.1\r\nHost: h\r\n\
         Content-Length: 1\r\n\r\nxGET /3 HTTP/1.1\r\nHost : h\r\n\r\nGET /4 HTTP/1.1\r\n\
         Host: h\r\n\r\n",
    );
    assert_eq!(user.response().text(), "/1 ");
    assert_eq!(user.response().text(), "/2 x");
    assert_eq!(user.response().status(), 400);
    assert_eq!(user.reader.read(&mut [0]).unwrap_or(0), 0);
    assert_eq!(cell.lines(), ["GET /1 HTTP/1.1", "POST /2 HTTP/1.1"]);
}

#[test]
fn malformed_chunks_are_refused() {
    for protocol in ["buffering", "learning"] {
        let cell = Cell::scripted(|mut exchange| {
            if exchange.request.target().starts_with("/api/v4/internal") {
                exchange.response(response("404 Not Found", &[], ""));
                return Then::Keep;
            }
            exchange.read_body();
            Then::Close
        });
        let router = Router::start(&one_cell(protocol, cell.address));
        for body in [
            "3 \r\nabc\r\n0\r\n\r\n",
            "3\nabc\r\n0\r\n\r\n",
            "3\r\nabc0\r\n\r\n",
            "zz\r\n",
            "3\r\nabc\r\n0\r\nX y\r\n\r\n",
            "fffffffffffffffff\r\n",
        ] {
            let mut user = router.user();
            user.send(format!(
                "POST /x HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n\
                 {body}GET /after HTTP/1.1\r\nHost: h\r\n\r\n"
            ));
            assert_eq!(user.response().status(), 400, "{protocol}: {body:?}");
            assert_eq!(user.reader.read(&mut [0]).unwrap_or(0), 0, "{protocol}: {body:?}");
        }
        assert!(!cell.lines().iter().any(|line| line.contains("/after")), "{protocol}");
        if protocol == "buffering" {
            assert_eq!(cell.lines(), [""; 0]);
        } else {
            // One connection for each.
            cell.wait_until_closed(6);
            assert!(
                cell.received()
                    .iter()
                    .filter(|request| request.target() == "/x")
                    .all(|request| !request.whole)
            );
        }
    }
}

#[test]
fn long_heads_within_the_limit_are_forwarded_unchanged() {
    let cell = echo();
    let router = in_front_of(&cell);
    let value = "y".repeat(60_000);
    let response = router.user().ask("GET", "/x", &[&format!("X: {value}")], b"");
    assert_eq!(response.status(), 200);
    assert_eq!(cell.received()[0].header("x"), Some(value.as_str()));
    let many: Vec<String> = (0..90).map(|number| format!("X-Many: {number}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    assert_eq!(router.user().ask("GET", "/x", &many, b"").status(), 200);
    assert_eq!(cell.received()[1].all("x-many").len(), 90);
}

#[test]
fn a_request_sent_byte_by_byte_is_served() {
    let cell = echo();
    let router = in_front_of(&cell);
    let mut user = router.user();
    let bytes = "\r\nPOST /1 HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\n\
         abc\r\n2\r\nde\r\n0\r\nT: u\r\n\r\nGET /2 HTTP/1.1\r\nHost: h\r\n\r\n";
    for byte in bytes.as_bytes() {
        user.send([*byte]);
        std::thread::sleep(Duration::from_micros(200));
    }
    assert_eq!(user.response().text(), "/1 abcde");
    assert_eq!(user.response().text(), "/2 ");
}

#[test]
fn many_pipelined_requests_get_responses_in_order() {
    let cell = echo();
    let router = in_front_of(&cell);
    let mut user = router.user();
    let all: String = (0..50)
        .map(|number| format!("PUT /{number} HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc"))
        .collect();
    user.send(all);
    for number in 0..50 {
        assert_eq!(user.response().text(), format!("/{number} abc"));
    }
}

#[test]
fn http_1_0_users_get_no_chunks_and_a_closed_connection() {
    let cell = Cell::writing(|_| {
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n".to_owned()
    });
    let router = in_front_of(&cell);
    let mut user = router.user();
    user.send("POST /x HTTP/1.0\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\nx");
    let response = user.response();
    assert_eq!(
        (response.status(), response.header("transfer-encoding"), response.text()),
        (200, None, "abc")
    );

    let cell = echo();
    let router = in_front_of(&cell);
    let mut user = router.user();
    user.send("GET /1 HTTP/1.0\r\nHost: h\r\nConnection: keep-alive\r\n\r\n");
    let response = user.response();
    assert_eq!((response.text(), response.header("connection")), ("/1 ", Some("keep-alive")));
    user.send("GET /2 HTTP/1.0\r\nHost: h\r\n\r\n");
    assert_eq!(user.response().text(), "/2 ");
    assert_eq!(user.reader.read(&mut [0]).unwrap_or(0), 0);
}

#[test]
fn a_half_closed_user_gets_the_response() {
    for protocol in ["buffering", "learning"] {
        let cell = Cell::responding(|request| {
            if request.target().starts_with("/api/v4/internal") {
                return response("404 Not Found", &[], "");
            }
            std::thread::sleep(Duration::from_millis(50));
            ok("late")
        });
        let router = Router::start(&one_cell(protocol, cell.address));
        for request in [
            "GET /1 HTTP/1.1\r\nHost: h\r\n\r\n",
            "PUT /1 HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\nab",
            "GET /1 HTTP/1.1\r\nHost: h\r\n\r\nGET /2 HTTP/1.1\r\nHost: h\r\n\r\n",
        ] {
            let mut user = router.user();
            user.send(request);
            user.stream.shutdown(Shutdown::Write).unwrap();
            for _ in 0..request.matches("HTTP/1.1").count() {
                assert_eq!(user.response().text(), "late", "{protocol}: {request:?}");
            }
            assert_eq!(user.reader.read(&mut [0]).unwrap_or(0), 0);
        }
    }
}

#[test]
fn no_cell_takes_a_truncated_body_for_complete() {
    let cell = echo();
    let router = in_front_of(&cell);
    for request in [
        "PUT /1 HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\nab",
        "PUT /1 HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n",
        "PUT /1 HTTP/1.1\r\nHost: h\r\nTransfer-Enc",
    ] {
        let mut user = router.user();
        user.send(request);
        user.stream.shutdown(Shutdown::Write).unwrap();
        let mut got = String::new();
        let _ = user.reader.read_to_string(&mut got);
        assert!(got.is_empty() || got.starts_with("HTTP/1.1 400 "), "{got}");
    }
    assert_eq!(cell.lines(), [""; 0]);
}

#[test]
fn a_refusal_instead_of_100_continue_closes_the_connection() {
    let cell = echo();
    let mut topology = one_cell("buffering", cell.address);
    topology["limits"]["max_buffered_body_bytes"] = json!(10);
    let router = Router::start(&topology);
    let mut user = router.user();
    user.send("PUT /x HTTP/1.1\r\nHost: h\r\nContent-Length: 11\r\nExpect: 100-continue\r\n\r\n");
    let response = user.response();
    assert_eq!((response.status(), response.header("connection")), (413, Some("close")));
    assert_eq!(user.reader.read(&mut [0]).unwrap_or(0), 0);

    // After 100 the body is buffered and sent as usual.
    let mut user = router.user();
    for _ in 0..2 {
        user.send(
            "PUT /x HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n",
        );
        assert_eq!(Message::read_head(&mut user.reader).unwrap().unwrap().status(), 100);
        user.send("abc");
        assert_eq!(user.response().text(), "/x abc");
    }
}

#[test]
fn an_absolute_target_is_served_like_its_origin_form() {
    let cell = echo();
    let router = in_front_of(&cell);
    let mut user = router.user();
    for (target, host, path) in [
        ("http://a.example/x?y", "a.example", "/x?y "),
        ("http://a.example?y", "a.example", "/?y "),
        ("HTTPS://b.example:8443", "b.example:8443", "/ "),
    ] {
        user.send(format!("GET {target} HTTP/1.1\r\nHost: other\r\n\r\n"));
        assert_eq!(user.response().text(), path);
        let request = cell.received().pop().unwrap();
        assert_eq!(
            (request.all("host"), request.header("x-forwarded-host")),
            (vec![host], Some(host))
        );
    }
}
