//! The rules of every HTTP intermediary, in both protocols.

mod support;

use std::io::{BufRead as _, Read as _, Write as _};
use std::sync::Mutex;
use std::sync::mpsc;

use serde_json::json;
use support::cell::{Cell, Exchange, Then, ok, response};
use support::message::Message;
use support::router::{Fleet, Router};
use support::single::{in_front_of, one_cell};

#[test]
fn targets_are_forwarded_byte_for_byte() {
    let cell = Cell::writing(|request| ok(request.target()).to_string());
    let router = in_front_of(&cell);
    let mut user = router.user();
    for target in [
        "/",
        "/?",
        "//",
        "//x//y/",
        "/a/./b/../c",
        "/a%2Fb%2f%41",
        "/x?",
        "/x??a=b?&&=",
        "/x?a=%20+%2B",
        "/~!$&'()*+,;=:@",
        "/x;y=1",
        "/-/cable",
        "/ü",
        "/?x=/../y",
    ] {
        assert_eq!(user.get(target).text(), target);
    }
    // The absolute form names the host; the cell gets the rest.
    user.send("GET http://other.example//a%2fb?x HTTP/1.1\r\nHost: ignored\r\n\r\n");
    assert_eq!(user.response().text(), "//a%2fb?x");
    assert_eq!(cell.received().last().unwrap().all("host"), ["other.example"]);
    user.send("OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n");
    assert_eq!(user.response().text(), "*");
}

#[test]
fn requests_without_a_clear_host_are_refused() {
    let cell = Cell::writing(|_| ok("served").to_string());
    let router = in_front_of(&cell);
    for head in [
        "GET / HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        "CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n",
    ] {
        let mut user = router.user();
        user.send(head);
        assert_eq!(user.response().status(), 400, "{head}");
    }
    assert_eq!(cell.lines(), [""; 0]);
    let mut user = router.user();
    user.send("GET / HTTP/1.0\r\n\r\n");
    assert_eq!(user.response().text(), "served");
    assert_eq!(cell.received()[0].all("host"), [router.address.to_string()]);
    assert_eq!(cell.lines(), ["GET / HTTP/1.1"]);
}

#[test]
fn ambiguous_requests_are_not_forwarded() {
    let cell = Cell::responding(|request| ok(std::str::from_utf8(&request.body).unwrap()));
    let router = in_front_of(&cell);
    for (fields, status) in [
        ("Content-Length: 3\r\nContent-Length: 4\r\n", 400),
        ("Content-Length: 3\r\nContent-Length: 3\r\n", 400),
        ("Content-Length: +3\r\n", 400),
        ("Transfer-Encoding: chunked, identity\r\n", 400),
        ("Transfer-Encoding: gzip, chunked\r\n", 501),
        ("Content-Length : 3\r\n", 400),
        ("X-Folded: a\r\n b: c\r\nContent-Length: x\r\n", 400),
        ("X-Bare: a\nContent-Length: 3\r\n", 400),
        ("Content-Length: 30\r\nTransfer-Encoding: chunked\r\n", 400),
    ] {
        let mut user = router.user();
        user.send(format!(
            "POST /x HTTP/1.1\r\nHost: h\r\n{fields}\r\n3\r\nabc\r\n0\r\n\r\n\
             GET /smuggled HTTP/1.1\r\nHost: h\r\n\r\n"
        ));
        let response = user.response();
        assert_eq!(
            (response.status(), response.header("connection")),
            (status, Some("close")),
            "{fields}"
        );
        assert_eq!(user.reader.read(&mut [0; 1]).unwrap_or(0), 0);
    }
    assert_eq!(cell.lines(), [""; 0]);
}

#[test]
fn responses_without_a_body_are_forwarded() {
    let cell = Cell::writing(|request| match request.target() {
        "/204" => "HTTP/1.1 204 No Content\r\nX-Kept: 1\r\n\r\n".to_owned(),
        "/304" => "HTTP/1.1 304 Not Modified\r\nETag: \"x\"\r\n\r\n".to_owned(),
        _ if request.start.starts_with("HEAD") => {
            "HTTP/1.1 200 OK\r\nContent-Length: 1234\r\n\r\n".to_owned()
        }
        _ => ok("next").to_string(),
    });
    let router = in_front_of(&cell);
    let mut user = router.user();
    for (method, target, status) in
        [("GET", "/204", 204), ("GET", "/304", 304), ("HEAD", "/x", 200), ("HEAD", "/204", 204)]
    {
        user.send(format!("{method} {target} HTTP/1.1\r\nHost: h\r\n\r\n"));
        let head = Message::read_head(&mut user.reader).unwrap().unwrap();
        assert_eq!(head.status(), status);
        if (method, target) == ("HEAD", "/x") {
            assert_eq!(head.header("content-length"), Some("1234"));
        }
        // No bytes are left on either connection.
        assert_eq!(user.get("/next").text(), "next");
    }
}

/// Sends part of a response, signals that, and continues when told to.
fn in_two_parts(first: &'static str, second: &'static str, go_on: mpsc::Receiver<()>) -> Cell {
    let go_on = Mutex::new(go_on);
    Cell::scripted(move |mut exchange: Exchange<'_>| {
        exchange.read_body();
        exchange.response(first);
        go_on.lock().unwrap().recv().unwrap();
        exchange.response(second);
        Then::Close
    })
}

#[test]
fn responses_are_streamed() {
    let (go_on, told) = mpsc::channel();
    let cell = in_two_parts(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: x-t\r\n\r\n5\r\nfirst\r\n",
        "6\r\nsecond\r\n0\r\nx-t: 1\r\n\r\n",
        told,
    );
    let router = in_front_of(&cell);
    let mut user = router.user();
    user.send("GET /x HTTP/1.1\r\nHost: h\r\n\r\n");
    let mut response = Message::read_head(&mut user.reader).unwrap().unwrap();
    while !user.reader.fill_buf().unwrap().ends_with(b"first\r\n") {}
    go_on.send(()).unwrap();
    response.read_body(&mut user.reader).unwrap();
    assert_eq!((response.text(), response.whole), ("firstsecond", true));
}

#[test]
fn a_truncated_response_does_not_look_complete() {
    for (first, second) in [
        ("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nfirst", "second"),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n", "6\r\nsec"),
    ] {
        let (go_on, told) = mpsc::channel();
        let cell = in_two_parts(first, second, told);
        let router = in_front_of(&cell);
        let mut user = router.user();
        user.send("GET /x HTTP/1.1\r\nHost: h\r\n\r\n");
        go_on.send(()).unwrap();
        assert!(!user.response().whole);
    }
}

#[test]
fn a_response_that_is_not_http_is_refused() {
    for nonsense in [
        "nonsense\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        "HTTP/1.1 2000 X\r\n\r\n",
    ] {
        let cell = Cell::scripted(move |mut exchange| {
            exchange.read_body();
            exchange.response(nonsense);
            Then::Close
        });
        assert_eq!(in_front_of(&cell).user().get("/x").status(), 502, "{nonsense}");
    }
}

#[test]
fn interim_responses_do_not_replace_the_final_response() {
    let cell =
        Cell::writing(|_| format!("HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n{}", ok("final")));
    let router = in_front_of(&cell);
    let mut user = router.user();
    assert_eq!(user.get("/x").text(), "final");
    assert_eq!(user.get("/x").text(), "final");
}

#[test]
fn unknown_fields_pass_both_ways() {
    let cell = Cell::responding(|_| {
        response(
            "299 Odd",
            &["X-One: 1", "X-One: 2", "x-empty:", "X-Latin: \u{e9}", "Server: cell"],
            "body",
        )
    });
    let router = in_front_of(&cell);
    let fields = [
        "X-Conformance-Id: a/b",
        "X-One: 1",
        "X-One: 2",
        "Cookie: a=1; b=2",
        "Accept-Encoding: gzip",
    ];
    let response = router.user().ask("PATCH", "/x", &fields, b"{}");
    assert_eq!(response.status(), 299);
    assert_eq!(response.all("x-one"), ["1", "2"]);
    assert_eq!(response.all("x-empty"), [""]);
    assert_eq!(response.header("x-latin"), Some("\u{e9}"));
    assert_eq!(response.header("server"), Some("cell"));
    let request = cell.received().remove(0);
    assert_eq!(request.start, "PATCH /x HTTP/1.1");
    assert_eq!(request.header("x-conformance-id"), Some("a/b"));
    assert_eq!(request.all("x-one"), ["1", "2"]);
    assert_eq!(request.header("accept-encoding"), Some("gzip"));
    assert_eq!(request.body, b"{}");
}

#[test]
fn pipelined_requests_get_responses_in_order() {
    let cell = Cell::responding(|request| ok(request.target()));
    let router = in_front_of(&cell);
    let mut user = router.user();
    user.send("GET /1 HTTP/1.1\r\nHost: h\r\n\r\nGET /2 HTTP/1.1\r\nHost: h\r\n\r\n");
    assert_eq!(user.response().text(), "/1");
    assert_eq!(user.response().text(), "/2");
}

#[test]
fn a_response_before_the_end_of_the_body_reaches_the_user() {
    let fleet = Fleet {
        us0: Cell::responding(|_| ok("")),
        eu0: Cell::scripted(|mut exchange| {
            exchange.response(response("403 Forbidden", &["Connection: close"], "no"));
            let _ = exchange.stream.flush();
            // The user keeps sending until it has read the response.
            let _ = std::io::copy(exchange.reader, &mut std::io::sink());
            Then::Close
        }),
        eu1: Cell::responding(|_| {
            support::cell::learnt(r#"{"path":"/x","cell":"cell_eu0","source":"routable"}"#)
        }),
    };
    let router = Router::start(&fleet.with_one_pick("learning"));
    let mut user = router.user();
    user.send("POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 1000\r\n\r\nfirst");
    assert_eq!(user.response().status(), 403);
}

#[test]
fn a_delayed_404_is_the_response_of_the_cell() {
    let cell = Cell::responding(|_| response("404 Not Found", &["X-Mine: 1"], "not here"));
    let mut topology = one_cell("buffering", cell.address);
    topology["capabilities"] = json!({ "not_found_delay_ms": 20 });
    let response = Router::start(&topology).user().get("/x");
    assert_eq!(
        (response.status(), response.text(), response.header("x-mine")),
        (404, "not here", Some("1"))
    );
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

#[test]
fn requests_go_no_further_than_they_may() {
    let cell =
        Cell::responding(|request| ok(request.header("max-forwards").unwrap_or("no such field")));
    let router = in_front_of(&cell);
    let mut user = router.user();
    for (method, value, status, text) in [
        ("OPTIONS", "0", 200, "this is a proxy"),
        ("TRACE", "0", 405, "this proxy echoes"),
        ("OPTIONS", "3", 200, "2"),
        ("GET", "0", 200, "0"),
    ] {
        let response = user.ask(method, "/x", &[&format!("Max-Forwards: {value}")], b"");
        assert_eq!(response.status(), status, "{method} {value}");
        assert!(response.text().starts_with(text), "{method} {value}: {}", response.text());
    }
    assert_eq!(cell.received().len(), 2);
}
