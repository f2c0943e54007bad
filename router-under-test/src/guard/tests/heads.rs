use super::super::follow::Follower;
use super::super::head::{LONGEST_HEAD, MOST_FIELDS};
use super::{RequestError, follow};

fn fault_of(bytes: &str) -> Option<RequestError> {
    let outcome = follow([bytes.as_bytes()]);
    if outcome.fault.is_none() {
        assert_eq!(outcome.passed.len(), bytes.len(), "{bytes:?} is not whole");
    }
    outcome.fault
}

/// A request with these lines behind `Host`.
fn with(lines: &str) -> String {
    format!("POST /x HTTP/1.1\r\nHost: h\r\n{lines}\r\n")
}

#[test]
fn valid_requests_pass() {
    for bytes in [
        "GET / HTTP/1.1\r\nHost: h\r\n\r\n",
        "\r\n\r\nGET / HTTP/1.1\r\nhost:h\t\r\n\r\n",
        "GET / HTTP/1.0\r\n\r\n",
        "GET http://h:80/x?y HTTP/1.1\r\nHost: other\r\n\r\n",
        "GET HTTPS://h HTTP/1.1\r\nHost: other\r\n\r\n",
        "OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n",
        "GET /\u{e4} HTTP/1.1\r\nHost: h\r\nX: \u{e4}\r\nX-Empty:\r\nX:\t a \t\r\n\r\n",
        &with("Content-Length: 0\r\n"),
        &(with("Content-Length: 3\r\n") + "a\n\0GET / HTTP/1.1\r\nHost: h\r\n\r\n"),
        &(with("transfer-encoding: CHUNKED\r\n")
            + "3;x=\"y\"\r\n\r\n0\r\n0\r\n\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n"),
        &(with("Transfer-Encoding: chunked\r\n")
            + "00a\r\n0123456789\r\n000\r\nX: y\r\nZ:\r\n\r\n"),
    ] {
        assert_eq!(fault_of(bytes), None, "{bytes:?}");
    }
}

#[test]
fn invalid_requests_are_refused() {
    for (lines, fault) in [
        ("Content-Length: 3\r\nTransfer-Encoding: chunked\r\n", RequestError::TwoFramings),
        ("Transfer-Encoding: chunked\r\nContent-Length: 3\r\n", RequestError::TwoFramings),
        ("Content-Length: 3\r\nContent-Length: 3\r\n", RequestError::Length),
        ("Content-Length: 3, 3\r\n", RequestError::Length),
        ("Content-Length: +3\r\n", RequestError::Length),
        ("Content-Length: -3\r\n", RequestError::Length),
        ("Content-Length: 0x3\r\n", RequestError::Length),
        ("Content-Length: 3 3\r\n", RequestError::Length),
        ("Content-Length:\r\n", RequestError::Length),
        ("Content-Length: 99999999999999999999\r\n", RequestError::Length),
        ("Content-Length: 18446744073709551615\r\n", RequestError::Length),
        ("Transfer-Encoding: gzip, chunked\r\n", RequestError::UnknownCoding),
        ("Transfer-Encoding: identity, chunked\r\n", RequestError::UnknownCoding),
        ("Transfer-Encoding: chunked, identity\r\n", RequestError::Coding),
        ("Transfer-Encoding: chunked, chunked\r\n", RequestError::Coding),
        ("Transfer-Encoding: gzip\r\n", RequestError::Coding),
        ("Transfer-Encoding: \"chunked\"\r\n", RequestError::Coding),
        ("Transfer-Encoding:\r\n", RequestError::Coding),
        ("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", RequestError::Coding),
        ("Transfer-Encoding: \x0bchunked\r\n", RequestError::ControlByte),
        ("X: a\0b\r\n", RequestError::ControlByte),
        ("X: a\x7fb\r\n", RequestError::ControlByte),
        ("X: a\rb\r\n", RequestError::LineEnd),
        ("X: a\r\r\n", RequestError::LineEnd),
        ("X: a\nY: b\r\n", RequestError::LineEnd),
        ("X : a\r\n", RequestError::FieldLine),
        ("X\t: a\r\n", RequestError::FieldLine),
        (": a\r\n", RequestError::FieldLine),
        ("X\r\n", RequestError::FieldLine),
        ("X: a\r\n b\r\n", RequestError::FieldLine),
        ("X: a\r\n\tb: c\r\n", RequestError::FieldLine),
        ("\u{e4}: a\r\n", RequestError::FieldLine),
        ("X(y): a\r\n", RequestError::FieldLine),
        ("Host: h\r\n", RequestError::Host),
    ] {
        assert_eq!(fault_of(&with(lines)), Some(fault), "{lines:?}");
    }
    for (head, fault) in [
        ("GET / HTTP/1.1\r\n\r\n", RequestError::Host),
        ("GET / HTTP/1.1\r\nHost:\r\n\r\n", RequestError::Host),
        ("GET / HTTP/1.1\r\nHost: a@b\r\n\r\n", RequestError::Host),
        ("GET / HTTP/1.1\r\nHost: a/b\r\n\r\n", RequestError::Host),
        ("GET / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", RequestError::Coding),
        ("CONNECT h:443 HTTP/1.1\r\nHost: h:443\r\n\r\n", RequestError::Target),
        ("CONNECT / HTTP/1.1\r\nHost: h\r\n\r\n", RequestError::Target),
        ("GET h:443 HTTP/1.1\r\nHost: h\r\n\r\n", RequestError::Target),
        ("GET * HTTP/1.1\r\nHost: h\r\n\r\n", RequestError::Target),
        ("GET x HTTP/1.1\r\nHost: h\r\n\r\n", RequestError::Target),
        ("GET ftp://h/ HTTP/1.1\r\nHost: h\r\n\r\n", RequestError::Target),
        ("GET http:///x HTTP/1.1\r\nHost: h\r\n\r\n", RequestError::Target),
        ("GET http://u@h/x HTTP/1.1\r\nHost: h\r\n\r\n", RequestError::Target),
        ("GET /x#y HTTP/1.1\r\nHost: h\r\n\r\n", RequestError::Target),
        ("GET  / HTTP/1.1\r\nHost: h\r\n\r\n", RequestError::RequestLine),
        ("GET / HTTP/1.1 \r\nHost: h\r\n\r\n", RequestError::RequestLine),
        (" GET / HTTP/1.1\r\nHost: h\r\n\r\n", RequestError::RequestLine),
        ("GET\t/ HTTP/1.1\r\nHost: h\r\n\r\n", RequestError::RequestLine),
        ("GET / HTTP/1.2\r\nHost: h\r\n\r\n", RequestError::RequestLine),
        ("GET / http/1.1\r\nHost: h\r\n\r\n", RequestError::RequestLine),
        ("GET /\r\n", RequestError::RequestLine),
        ("PRI * HTTP/2.0\r\n\r\n", RequestError::RequestLine),
        ("G(T / HTTP/1.1\r\nHost: h\r\n\r\n", RequestError::RequestLine),
        ("GET /\x01 HTTP/1.1\r\nHost: h\r\n\r\n", RequestError::RequestLine),
        ("GET / HTTP/1.1\nHost: h\n\n", RequestError::LineEnd),
        ("\nGET / HTTP/1.1\r\nHost: h\r\n\r\n", RequestError::LineEnd),
    ] {
        assert_eq!(fault_of(head), Some(fault), "{head:?}");
    }
    for body in [
        "\r\n",
        "x\r\n",
        " 3\r\nabc\r\n0\r\n\r\n",
        "3 \r\nabc\r\n0\r\n\r\n",
        "3\nabc\r\n0\r\n\r\n",
        "3\rabc\r\n0\r\n\r\n",
        "3\r\nabcd\r\n0\r\n\r\n",
        "3\r\nabc\n0\r\n\r\n",
        "3\r\nabc0\r\n\r\n",
        "0x3\r\nabc\r\n0\r\n\r\n",
        "+3\r\nabc\r\n0\r\n\r\n",
        "-1\r\n",
        "ffffffffffffffff\r\n",
        "0000000000000003\r\nabc\r\n0\r\n\r\n",
        ";x\r\n",
        "3;x\ny\r\nabc\r\n0\r\n\r\n",
        "3;\0\r\nabc\r\n0\r\n\r\n",
        "0\r\nX y\r\n\r\n",
        "0\r\nX: y\n\r\n",
        "0\r\nX: \ry\r\n\r\n",
        "0\r\n\rx",
    ] {
        assert_eq!(
            fault_of(&(with("Transfer-Encoding: chunked\r\n") + body)),
            Some(RequestError::Chunk),
            "{body:?}"
        );
    }
}

#[test]
fn neither_an_invalid_head_nor_later_bytes_pass() {
    let good = "GET /good HTTP/1.1\r\nHost: h\r\n\r\n";
    let bad = with("Content-Length: 3\r\nTransfer-Encoding: chunked\r\n");
    let outcome = follow([format!("{good}{bad}0\r\n\r\n{good}").as_bytes()]);
    assert_eq!(
        (outcome.passed.as_slice(), outcome.requests, outcome.fault),
        (good.as_bytes(), 1, Some(RequestError::TwoFramings))
    );
    // A head that may still become one is held.
    assert_eq!(follow([&bad.as_bytes()[..20]]).passed, b"");
}

#[test]
fn heads_beyond_the_size_limits_are_refused() {
    let fields = |number: usize| with(&"X: y\r\n".repeat(number - 1));
    assert_eq!(fault_of(&fields(MOST_FIELDS)), None);
    assert_eq!(fault_of(&fields(MOST_FIELDS + 1)), Some(RequestError::TooLarge));
    let of_length =
        |length: usize| with(&format!("X: {}\r\n", "y".repeat(length - with("X: \r\n").len())));
    assert_eq!(fault_of(&of_length(LONGEST_HEAD)), None);
    assert_eq!(fault_of(&of_length(LONGEST_HEAD + 1)), Some(RequestError::TooLarge));
    assert_eq!(
        fault_of(&format!("GET /{}", "x".repeat(LONGEST_HEAD))),
        Some(RequestError::TargetTooLong)
    );
    assert_eq!(follow(["X".repeat(LONGEST_HEAD - 1).as_bytes()]).fault, None);
    let trailers = "X: y\r\n".repeat(2000);
    assert_eq!(
        fault_of(&(with("Transfer-Encoding: chunked\r\n") + "0\r\n" + &trailers)),
        Some(RequestError::Chunk)
    );
    let extension = ";".repeat(2000);
    assert_eq!(
        fault_of(&(with("Transfer-Encoding: chunked\r\n") + "1" + &extension)),
        Some(RequestError::Chunk)
    );
}

#[test]
fn bytes_after_an_upgrade_request_wait() {
    let head = b"GET /-/cable HTTP/1.1\r\nHost: h\r\nConnection: keep-alive, Upgrade\r\n\
         Upgrade: WebSocket\r\n\r\n";
    let mut follower = Follower::new();
    assert_eq!(follower.advance(&[&head[..], b"\0frame"].concat()), (head.len(), None));
    assert!(follower.is_undecided());
    assert_eq!(follower.advance(b"\0frame"), (0, None));
    follower.decide(true);
    assert_eq!(follower.advance(b"\0frame"), (6, None));
    // Whatever else asks for a protocol is followed by a request.
    for lines in [
        "Upgrade: websocket\r\n",
        "Connection: upgrade\r\nUpgrade: h2c\r\n",
        "Connection: upgrade\r\nUpgrade: websocket\r\nUpgrade: h2c\r\n",
    ] {
        let mut follower = Follower::new();
        follower.advance(format!("GET / HTTP/1.1\r\nHost: h\r\n{lines}\r\n").as_bytes());
        assert!(!follower.is_undecided(), "{lines:?}");
    }
}
