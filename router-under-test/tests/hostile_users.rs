//! Users who send invalid requests, requests in small pieces, or truncated ones.

mod support;

use std::io::Read as _;
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
    assert!(router.user().get("/ü").text().starts_with("/"));
}

#[test]
fn earlier_pipelined_requests_get_their_responses_before_a_refusal() {
    let cell = echo();
    let router = in_front_of(&cell);
    let mut user = router.user();
    user.send(
        "GET /1 HTTP/1.1\r\nHost: h\r\n\r\n\
         POST /2 HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\nx\
         GET /3 HTTP/1.1\r\nHost : h\r\n\r\n\
         GET /4 HTTP/1.1\r\nHost: h\r\n\r\n",
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
fn a_request_sent_byte_by_byte_is_served() {
    let cell = echo();
    let router = in_front_of(&cell);
    let mut user = router.user();
    let bytes = "\r\nPOST /1 HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n\
         3;x=y\r\nabc\r\n2\r\nde\r\n0\r\nT: u\r\n\r\n\
         GET /2 HTTP/1.1\r\nHost: h\r\n\r\n";
    for byte in bytes.as_bytes() {
        user.send([*byte]);
        std::thread::sleep(Duration::from_micros(200));
    }
    assert_eq!(user.response().text(), "/1 abcde");
    assert_eq!(user.response().text(), "/2 ");
}

#[test]
fn http_1_0_users_may_keep_their_connection_and_need_no_host() {
    let cell = echo();
    let router = in_front_of(&cell);
    let mut user = router.user();
    user.send("GET /1 HTTP/1.0\r\nHost: h\r\nConnection: keep-alive\r\n\r\n");
    let response = user.response();
    assert_eq!((response.text(), response.header("connection")), ("/1 ", Some("keep-alive")));
    user.send("GET /2 HTTP/1.0\r\n\r\n");
    assert_eq!(user.response().text(), "/2 ");
    assert_eq!(user.reader.read(&mut [0]).unwrap_or(0), 0);
    assert_eq!(cell.received()[1].all("host"), [router.address.to_string()]);
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
    assert_eq!(cell.received()[0].header("expect"), None);
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

#[test]
fn a_path_that_no_pre_flight_can_carry_is_too_long() {
    let cell = Cell::responding(|_| response("404 Not Found", &[], "nowhere"));
    let router = Router::start(&one_cell("learning", cell.address));
    let mut user = router.user();
    // In `path_info` each byte but letters, digits and a few others takes three.
    for (bytes, times, status) in
        [("%41", 13_000, 404), ("%41", 13_500, 414), ("+", 21_000, 404), ("+", 22_000, 414)]
    {
        let path = format!("/{}", bytes.repeat(times));
        assert_eq!(user.get(&path).status(), status, "{bytes} {times}");
    }
    // Two pre-flights, and two requests.
    assert_eq!(cell.received().len(), 4);
}

#[test]
fn options_for_a_whole_server_arrive_with_an_asterisk() {
    let cell = Cell::writing(|request| ok(request.target()).to_string());
    let router = in_front_of(&cell);
    let mut user = router.user();
    for (line, arrives, host) in [
        ("OPTIONS http://a.example", "*", "a.example"),
        ("OPTIONS HTTPS://a.example:8443", "*", "a.example:8443"),
        ("OPTIONS *", "*", "other"),
        ("OPTIONS http://a.example/", "/", "a.example"),
        ("OPTIONS http://a.example?x", "/?x", "a.example"),
        ("GET http://a.example", "/", "a.example"),
    ] {
        user.send(format!("{line} HTTP/1.1\r\nHost: other\r\n\r\n"));
        assert_eq!(user.response().text(), arrives, "{line}");
        assert_eq!(cell.received().pop().unwrap().all("host"), [host], "{line}");
    }
}

#[test]
fn as_many_fields_as_are_accepted_arrive() {
    // As a cell that takes a hundred.
    let cell = Cell::responding(|request| match request.headers.len() {
        0..=100 => ok(&request.headers.len().to_string()),
        _ => response("431 Too Many", &[], "a cell's"),
    });
    let router = in_front_of(&cell);
    for (fields, body, status) in
        [(95, "", 200), (95, "x", 200), (96, "", 431), (96, "x", 431), (99, "", 431)]
    {
        // With `Host`, and with the length where there is a body, which needs no more.
        let fields: Vec<String> = (0..fields).map(|number| format!("X-{number}: v")).collect();
        let mut fields: Vec<&str> = fields.iter().map(String::as_str).collect();
        if !body.is_empty() {
            fields.pop();
        }
        let response = router.user().ask("POST", "/x", &fields, body.as_bytes());
        assert_eq!(response.status(), status, "{}", response.text());
        assert_ne!(response.text(), "a cell's");
    }
}
