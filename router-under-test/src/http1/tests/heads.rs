use super::super::lines::{LONGEST_HEAD, MOST_FIELDS};
use super::{HeadError, read};
use crate::http1::{Framing, RequestReader};
use bytes::Bytes;

fn fault_of(bytes: &str) -> Option<HeadError> {
    let outcome = read([bytes.as_bytes()]);
    if outcome.fault.is_none() {
        assert_eq!(outcome.left, 0, "{bytes:?} is not whole");
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
        ("Content-Length: 3\r\nTransfer-Encoding: chunked\r\n", HeadError::TwoFramings),
        ("Transfer-Encoding: chunked\r\nContent-Length: 3\r\n", HeadError::TwoFramings),
        ("Content-Length: 3\r\nContent-Length: 3\r\n", HeadError::Length),
        ("Content-Length: 3, 3\r\n", HeadError::Length),
        ("Content-Length: +3\r\n", HeadError::Length),
        ("Content-Length: -3\r\n", HeadError::Length),
        ("Content-Length: 0x3\r\n", HeadError::Length),
        ("Content-Length: 3 3\r\n", HeadError::Length),
        ("Content-Length:\r\n", HeadError::Length),
        ("Content-Length: 99999999999999999999\r\n", HeadError::Length),
        ("Content-Length: 18446744073709551615\r\n", HeadError::Length),
        ("Transfer-Encoding: gzip, chunked\r\n", HeadError::UnknownCoding),
        ("Transfer-Encoding: identity, chunked\r\n", HeadError::UnknownCoding),
        ("Transfer-Encoding: chunked, identity\r\n", HeadError::Coding),
        ("Transfer-Encoding: chunked, chunked\r\n", HeadError::Coding),
        ("Transfer-Encoding: gzip\r\n", HeadError::Coding),
        ("Transfer-Encoding: \"chunked\"\r\n", HeadError::Coding),
        ("Transfer-Encoding:\r\n", HeadError::Coding),
        ("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", HeadError::Coding),
        ("Transfer-Encoding: \x0bchunked\r\n", HeadError::ControlByte),
        ("X: a\0b\r\n", HeadError::ControlByte),
        ("X: a\x7fb\r\n", HeadError::ControlByte),
        ("X: a\rb\r\n", HeadError::LineEnd),
        ("X: a\r\r\n", HeadError::LineEnd),
        ("X: a\nY: b\r\n", HeadError::LineEnd),
        ("X : a\r\n", HeadError::FieldLine),
        ("X\t: a\r\n", HeadError::FieldLine),
        (": a\r\n", HeadError::FieldLine),
        ("X\r\n", HeadError::FieldLine),
        ("X: a\r\n b\r\n", HeadError::FieldLine),
        ("X: a\r\n\tb: c\r\n", HeadError::FieldLine),
        ("\u{e4}: a\r\n", HeadError::FieldLine),
        ("X(y): a\r\n", HeadError::FieldLine),
        ("Host: h\r\n", HeadError::Host),
    ] {
        assert_eq!(fault_of(&with(lines)), Some(fault), "{lines:?}");
    }
    for (head, fault) in [
        ("GET / HTTP/1.1\r\n\r\n", HeadError::Host),
        ("GET / HTTP/1.1\r\nHost:\r\n\r\n", HeadError::Host),
        ("GET / HTTP/1.1\r\nHost: a@b\r\n\r\n", HeadError::Host),
        ("GET / HTTP/1.1\r\nHost: a/b\r\n\r\n", HeadError::Host),
        ("GET / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", HeadError::Coding),
        ("CONNECT h:443 HTTP/1.1\r\nHost: h:443\r\n\r\n", HeadError::Target),
        ("CONNECT / HTTP/1.1\r\nHost: h\r\n\r\n", HeadError::Target),
        ("GET h:443 HTTP/1.1\r\nHost: h\r\n\r\n", HeadError::Target),
        ("GET * HTTP/1.1\r\nHost: h\r\n\r\n", HeadError::Target),
        ("GET x HTTP/1.1\r\nHost: h\r\n\r\n", HeadError::Target),
        ("GET ftp://h/ HTTP/1.1\r\nHost: h\r\n\r\n", HeadError::Target),
        ("GET http:///x HTTP/1.1\r\nHost: h\r\n\r\n", HeadError::Target),
        ("GET http://u@h/x HTTP/1.1\r\nHost: h\r\n\r\n", HeadError::Target),
        ("GET /x#y HTTP/1.1\r\nHost: h\r\n\r\n", HeadError::Target),
        ("GET  / HTTP/1.1\r\nHost: h\r\n\r\n", HeadError::RequestLine),
        ("GET / HTTP/1.1 \r\nHost: h\r\n\r\n", HeadError::RequestLine),
        (" GET / HTTP/1.1\r\nHost: h\r\n\r\n", HeadError::RequestLine),
        ("GET\t/ HTTP/1.1\r\nHost: h\r\n\r\n", HeadError::RequestLine),
        ("GET / HTTP/1.2\r\nHost: h\r\n\r\n", HeadError::RequestLine),
        ("GET / http/1.1\r\nHost: h\r\n\r\n", HeadError::RequestLine),
        ("GET /\r\n", HeadError::RequestLine),
        ("PRI * HTTP/2.0\r\n\r\n", HeadError::RequestLine),
        ("G(T / HTTP/1.1\r\nHost: h\r\n\r\n", HeadError::RequestLine),
        ("GET /\x01 HTTP/1.1\r\nHost: h\r\n\r\n", HeadError::RequestLine),
        ("GET / HTTP/1.1\nHost: h\n\n", HeadError::LineEnd),
        ("\nGET / HTTP/1.1\r\nHost: h\r\n\r\n", HeadError::LineEnd),
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
            Some(HeadError::Chunk),
            "{body:?}"
        );
    }
}

#[test]
fn nothing_behind_an_invalid_head_is_read() {
    let good = "GET /good HTTP/1.1\r\nHost: h\r\n\r\n";
    let bad = with("Content-Length: 3\r\nTransfer-Encoding: chunked\r\n");
    let outcome = read([format!("{good}{bad}0\r\n\r\n{good}").as_bytes()]);
    assert_eq!((outcome.requests.len(), outcome.fault), (1, Some(HeadError::TwoFramings)));
    // A head that may still become one is held.
    let outcome = read([&bad.as_bytes()[..20]]);
    assert_eq!((outcome.requests.len(), outcome.fault, outcome.left), (0, None, 20));
}

#[test]
fn heads_beyond_the_size_limits_are_refused() {
    let fields = |number: usize| with(&"X: y\r\n".repeat(number - 1));
    assert_eq!(fault_of(&fields(MOST_FIELDS)), None);
    assert_eq!(fault_of(&fields(MOST_FIELDS + 1)), Some(HeadError::TooLarge));
    let of_length =
        |length: usize| with(&format!("X: {}\r\n", "y".repeat(length - with("X: \r\n").len())));
    assert_eq!(fault_of(&of_length(LONGEST_HEAD)), None);
    assert_eq!(fault_of(&of_length(LONGEST_HEAD + 1)), Some(HeadError::TooLarge));
    assert_eq!(
        fault_of(&format!("GET /{}", "x".repeat(LONGEST_HEAD))),
        Some(HeadError::TargetTooLong)
    );
    assert_eq!(read(["X".repeat(LONGEST_HEAD - 1).as_bytes()]).fault, None);
    let trailers = "X: y\r\n".repeat(2000);
    assert_eq!(
        fault_of(&(with("Transfer-Encoding: chunked\r\n") + "0\r\n" + &trailers)),
        Some(HeadError::Chunk)
    );
    let extension = ";".repeat(2000);
    assert_eq!(
        fault_of(&(with("Transfer-Encoding: chunked\r\n") + "1" + &extension)),
        Some(HeadError::Chunk)
    );
}

#[test]
fn extensions_beyond_the_usual_are_refused_though_each_is_short() {
    let body = |chunk: &str, times: usize| {
        with("Transfer-Encoding: chunked\r\n") + &chunk.repeat(times) + "0\r\n\r\n"
    };
    let short = format!("1;{}\r\nx\r\n", "e".repeat(100));
    assert_eq!(fault_of(&body(&short, 100)), None);
    assert_eq!(fault_of(&body(&short, 300)), Some(HeadError::Chunk));
    // A signature for each chunk, and a byte at a time, are usual.
    let signed = format!("1000;s={}\r\n{}\r\n", "e".repeat(500), "x".repeat(0x1000));
    assert_eq!(fault_of(&body(&signed, 300)), None);
    assert_eq!(fault_of(&body("1\r\nx\r\n", 50_000)), None);
}

#[test]
fn a_request_is_read_as_it_was_sent() {
    let mut reader = RequestReader::default();
    let head =
        "POST /a%2Fb?c HTTP/1.1\r\nhost:h\r\nX:\t a \t\r\nx-empty: \r\nContent-Length: 3\r\n\r\n";
    assert_eq!(reader.read(&head.as_bytes()[..40]), Ok(None));
    assert_eq!(reader.read(format!("{head}abc").as_bytes()), Ok(Some(head.len())));
    let (request, framing) = reader.finish(&Bytes::from(head)).unwrap();
    assert_eq!(
        (request.method().as_str(), request.uri().to_string().as_str()),
        ("POST", "/a%2Fb?c")
    );
    let lines: Vec<_> = request
        .headers()
        .iter()
        .map(|(name, value)| (name.as_str(), value.to_str().unwrap()))
        .collect();
    assert_eq!(lines, [("host", "h"), ("x", "a"), ("x-empty", ""), ("content-length", "3")]);
    assert_eq!(framing, Framing::Length(3));
}
