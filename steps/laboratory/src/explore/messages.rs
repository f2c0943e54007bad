//! What users and cells write byte for byte: what RFC 9110 and RFC 9112 allow, and what they have a
//! router refuse. The model judges each by its bytes.
//!
//! `{t}` is a target, `{h}` the lines that each request has, `{i}` the one of them that names it,
//! `{s}` a request that is smuggled, `{REDIRECT}` and `{cache}` the fields of cells.

use cell_fleet::wire;

/// The lines that each request has.
const HEAD: &str = "Host: {host}\n{i}";
/// A request in a body: 35 bytes.
const SMUGGLED: &str = "GET /smuggled HTTP/1.1\nHost: a\n";

/// Requests that a router refuses, or repairs.
const REFUSED: [&str; 20] = [
    "POST {t} HTTP/1.1\n{h}\nContent-Length: 40\nTransfer-Encoding: chunked\n\n0\n\n{s}",
    "POST {t} HTTP/1.1\n{h}\nTransfer-Encoding: chunked\nContent-Length: 7\n\n5\nhello\n0\n\n{s}",
    "POST {t} HTTP/1.1\n{h}\nTransfer-Encoding: chunked;q=1\nConnection: close\n\n5\nhello\n0\n",
    "POST {t} HTTP/1.1\n{h}\nContent-Length: 40\nTransfer-Encoding: xchunked\n\n0\n\n{s}",
    "POST {t} HTTP/1.1\n{h}\nTransfer-Encoding: chunked, identity\n\n0\n\n{s}",
    "POST {t} HTTP/1.1\n{h}\nContent-Length: 40\nTransfer-Encoding : chunked\n\n0\n\n{s}",
    "POST {t} HTTP/1.1\n{h}\nContent-Length : 35\n\n{s}",
    "GET {t} HTTP/1.1\n{h}\nX-Field : a\nConnection: close\n",
    "POST {t} HTTP/1.1\n{h}\nContent-Length: 35\nContent-Length: 35\n\n{s}",
    "POST {t} HTTP/1.1\n{h}\nContent-Length: 35\nContent-Length: 0\n\n{s}",
    "POST {t} HTTP/1.1\n{h}\nContent-Length: 0\nContent-Length: 35\n\n{s}",
    "POST {t} HTTP/1.1\n{h}\nContent-Length: 0, 35\n\n{s}",
    "POST {t} HTTP/1.1\n{h}\nContent-Length: +35\n\n{s}",
    r"POST {t} HTTP/1.1
{h}
X-Field: a\rContent-Length: 0
Content-Length: 35

{s}",
    r"GET {t} HTTP/1.1
{h}
X-Field: a\nX-Other: b
Connection: close
",
    "GET {t} HTTP/1.1\n{i}\nConnection: close\n",
    "GET {t} HTTP/1.1\n{h}\nHost: evil.example\nConnection: close\n",
    "GET {t} HTTP/1.1\nHost: a b\n{i}\nConnection: close\n",
    "CONNECT {host} HTTP/1.1\n{h}\nConnection: close\n",
    "POST {t} HTTP/1.1\n{h}\nTransfer-Encoding: chunked\nConnection: close\n\n1;{600000 bytes}\nx\n0\n",
];

/// Requests that a router serves, each with something that it must heed.
const SERVED: [&str; 46] = [
    "GET {t} HTTP/1.1\n{h}\nConnection: close, X-Listed\nX-Listed: secret\n",
    "GET {t} HTTP/1.1\n{h}\nConnection: close,, x-LISTED\nX-Listed: secret\n",
    r"GET {t} HTTP/1.1
{h}
Connection: close,\tX-Listed
X-Listed: secret
",
    "GET {t} HTTP/1.1\n{h}\nConnection: X-Listed\nConnection: close\nX-Listed: secret\n",
    "GET {t} HTTP/1.1\n{h}\nConnection: close, X-Other\nKeep-Alive: timeout=77\n",
    "GET {t} HTTP/1.1\n{h}\nConnection: close, X-Other\nProxy-Connection: keep-alive, odd\n",
    "GET {t} HTTP/1.1\n{h}\nConnection: close, X-Other\nTE: x-odd;q=0.5\n",
    "GET {t} HTTP/1.1\n{h}\n{REDIRECT}: {cell:Cell US0}\nConnection: close\n",
    "POST {t} HTTP/1.1\n{h}\n{cache}: {path_prefix:/}\nContent-Length: 0\nConnection: close\n",
    "GET {t} HTTP/1.1\n{h}\nX_Gitlab_Cell_Cache: {path_prefix:/gitlab-org}\nConnection: close\n",
    "GET {t} HTTP/1.1\n{h}\nX-Gitlab_Cell-Redirect: {cell:Cell US0}\nConnection: close\n",
    "GET {t} HTTP/1.1\n{h}\nX_Forwarded_Host: evil.example\nConnection: close\n",
    "GET {t} HTTP/1.1\n{h}\nX-Forwarded-Host: evil.example\nConnection: close\n",
    "GET {t} HTTP/1.1\n{h}\nX-Forwarded-Proto: gopher\nConnection: close\n",
    "GET {t} HTTP/1.1\n{h}\nX-Original-URL: {o}\nX-Rewrite-URL: {o}\nConnection: close\n",
    "OPTIONS {t} HTTP/1.1\n{h}\nMax-Forwards: 0\nConnection: close\n",
    "OPTIONS {t} HTTP/1.1\n{h}\nMax-Forwards: 5\nConnection: close\n",
    "OPTIONS {t} HTTP/1.1\n{h}\nMax-Forwards: 0\nContent-Length: 35\n\n{s}",
    "OPTIONS {t} HTTP/1.1\n{h}\nMax-Forwards: 0\nExpect: 100-continue\nContent-Length: 35\n\n{100 ms}{s}",
    "TRACE {t} HTTP/1.1\n{h}\nCookie: session=secret-of-visitor\nConnection: close\n",
    "GET {t} HTTP/1.1\n{h}\nCDN-Loop: edge.example, cdn.example; hop=1\nConnection: close\n",
    "GET {t} HTTP/1.1\n{h}\nVia: 1.1 edge.example, 1.0 inner\nConnection: close\n",
    "GET {t} HTTP/1.1\n{h}\nX-Thrice: 3\nAccept: text/html\nX-Thrice: 1\nAccept: */*;q=0.1\nX-Thrice: 2, and 1\nConnection: close\n",
    "GET {t} HTTP/1.1\n{h}\nCookie: flavour=plain\nCookie: size=2; colour=blue\nConnection: close\n",
    "GET {t} HTTP/1.1\n{h}\nX-Long: {65000 bytes}\nX-Last: end\nConnection: close\n",
    "GET {t} HTTP/1.1\n{h}\nA: {16000 bytes}\nB: {16000 bytes}\nC: {900 bytes}\nConnection: close\n",
    "GET {t} HTTP/1.1\n{h}\nX-Long: {9000 bytes}\nConnection: close\n",
    "GET {t} HTTP/1.1\n{h}\nConnection: close\n{90 fields}\nX-Last: end\n",
    "GET {t} HTTP/1.1\n{h}\nConnection: close\n{55 fields}\nX-Last: end\n",
    "POST http://{host}{t} HTTP/1.1\n{h}\nContent-Length: 0\nConnection: close\n",
    "GET http://{host}{t}?a=%2F&b HTTP/1.1\n{h}\nConnection: close\n",
    "POST {t} HTTP/1.1\n{h}\nContent-Length: 5\nExpect: 100-CONTINUE\nConnection: close\n\nhello\\",
    "POST {t} HTTP/1.1\n{h}\nTransfer-Encoding: CHUNKED\nConnection: close\n\n5\nhello\n0\n",
    "GET {t} HTTP/1.1\n{h}\nConnection: close\n\nGET /smuggled HTTP/1.1\nHost: {host}\n",
    r"GET {t} HTTP/1.1
{h}
Connection: close

\0\0\0\0\
",
    "GET {t} HTTP/1.1\n{h}\n\nGET {o} HTTP/1.1\n{h}\n\nGET {t} HTTP/1.1\n{h}\nConnection: close\n",
    "POST {t} HTTP/1.1\n{h}\nContent-Length: 7\n\nhello\nPUT {o} HTTP/1.1\n{h}\nTransfer-Encoding: chunked\n\n5\nhello\n0\n\nDELETE {t} HTTP/1.1\n{h}\n\nHEAD {o} HTTP/1.1\n{h}\n\nGET {t} HTTP/1.1\n{h}\nConnection: close\n",
    "POST {t} HTTP/1.1\n{h}\nContent-Length: 0\nConnection: close\n",
    "GET {t} HTTP/1.1\n{h}\nContent-Length: 35\n\n{s}",
    r"GET {t} HTTP/1.1
{h}
X-Field: a\0b
Connection: close
",
    "GET {t} HTTP/1.1\n{h}\nX-Field: one\n  two\nConnection: close\n",
    "GET {t} HTTP/1.1\n{h}\nX-Field: one\n X-Spoof: a\nConnection: close\n",
    "OPTIONS {t} HTTP/1.1\n{h}\nOrigin: https://pages.example\nAccess-Control-Request-Method: PUT\nConnection: close\n",
    "GET {t} HTTP/1.1\n{h}\nSec-Purpose: prefetch\nPurpose: prefetch\nConnection: close\n",
    r"POST {t} HTTP/1.1
{h}
Content-Encoding: gzip
Content-Length: 46
Connection: close

\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xcb\x48\xcd\xc9\xc9\x57\x48\x2b\xca\xcf\x55\x28\xc9\x48\x55\xc8\x2f\xcf\x4b\x2d\xd2\x51\xc8\xc0\x22\xca\x05\x00\xb3\x29\x50\xea\x2b\x00\x00\x00\
",
    r"GET {t}/%2f%c3%a9 HTTP/1.1
{h}
Connection: close
",
];

/// How many requests there are.
pub(super) const REQUESTS: usize = REFUSED.len() + SERVED.len();

/// A request by its number, to this target; another target is next to it.
pub(super) fn request(number: usize, target: &str, other: &str) -> String {
    let number = number % REQUESTS;
    let text = REFUSED.iter().chain(&SERVED).nth(number).unwrap_or(&SERVED[0]);
    text.replace("{s}", SMUGGLED)
        .replace("{h}", HEAD)
        .replace("{i}", &format!("{}: {{id}}", wire::CONFORMANCE_ID))
        .replace("{REDIRECT}", &wire::CELL_REDIRECT.to_ascii_uppercase())
        .replace("{cache}", &wire::CELL_CACHE.to_ascii_lowercase())
        .replace("{t}", target)
        .replace("{o}", other)
}

/// A cell writes the text byte for byte.
pub(super) const RAW: &str = "responds to \"{t}\" with raw bytes:";

/// What a cell does instead of its response: the rest of a Given step, and its text.
pub(super) const INSTEAD: [(&str, &str); 24] = [
    (RAW, "hello\nContent-Length: 5\n\nhello\\"),
    (RAW, "ICY 200 OK\nContent-Length: 5\n\nhello\\"),
    (RAW, "HTTP/1.1 2\\"),
    (RAW, "HTTP/1.1 200 OK\nContent-Length: 0\n\\"),
    (RAW, "HTTP/1.1 200 OK\nContent-Length: 5\nContent-Length: 9\n\nhello you\\"),
    (RAW, "HTTP/1.1 200 OK\nContent-Length: 9\nContent-Length: 5\n\nhello you\\"),
    (RAW, "HTTP/1.1 200 OK\nContent-Length: 6\n\nhello\\"),
    (RAW, "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n5\nhello\n\\"),
    (RAW, "HTTP/1.1 200 OK\nTransfer-Encoding: CHUNKED\nConnection: close\n\n5\nhello\n0\n"),
    (
        RAW,
        "HTTP/1.1 200 OK\nContent-Length: 5\nConnection: close, X-Listed\nX-Listed: secret\n\nhello\\",
    ),
    (
        RAW,
        "HTTP/1.1 200 OK\nContent-Length: 5\nConnection: close\nKeep-Alive: timeout=77\n\nhello\\",
    ),
    (
        RAW,
        "HTTP/1.1 200 OK\nContent-Length: 5\nConnection: close\nProxy-Connection: keep-alive\n\nhello\\",
    ),
    (
        RAW,
        "HTTP/1.1 200 OK\nCache-Control: max-age=60, no-transform\nContent-Encoding: gzip\nContent-Length: 46\nContent-Type: text/plain\nETag: \"5d41402a\"\n\n\\x1f\\x8b\\x08\\x00\\x00\\x00\\x00\\x00\\x02\\x03\\xcb\\x48\\xcd\\xc9\\xc9\\x57\\x48\\x2b\\xca\\xcf\\x55\\x28\\xc9\\x48\\x55\\xc8\\x2f\\xcf\\x4b\\x2d\\xd2\\x51\\xc8\\xc0\\x22\\xca\\x05\\x00\\xb3\\x29\\x50\\xea\\x2b\\x00\\x00\\x00\\",
    ),
    ("closes the connection within the body of its response to \"{t}\", once", ""),
    ("resets the connection within the body of its response to \"{t}\", once", ""),
    ("closes the connection within the chunked body of its response to \"{t}\", once", ""),
    ("resets the connection within the head of its response to \"{t}\", once", ""),
    ("closes the connection instead of responding to \"{t}\", once", ""),
    ("redirects \"{t}\" to its own address", ""),
    ("names its own address in its response to \"{t}\":", "Link: <http://{address}/a>; rel=next"),
    ("names its own address in its response to \"{t}\":", "Refresh: 5; url=http://{address}/a"),
    ("names its own address in its response to \"{t}\":", "Content-Location: http://{address}/a"),
    ("sends 103 before its response to \"{t}\"", ""),
    (
        "sends bytes 20 ms after its response to \"{t}\":",
        "HTTP/1.1 200 OK\nContent-Type: text/plain\nContent-Length: 7\n\nspoiled\\",
    ),
];

/// Fields of requests, and the response that a cell has for them.
pub(super) const ASKED: [(&str, (&str, &str), &str); 13] = [
    (
        "GET",
        ("Range", "bytes=0-4"),
        "206\nContent-Type: text/plain\nContent-Range: bytes 0-4/11\n\nhello",
    ),
    ("GET", ("Range", "bytes=90-99"), "416\nContent-Type: text/plain\nContent-Range: bytes */11\n"),
    (
        "GET",
        ("If-None-Match", "\"5d41402a\""),
        "304\nETag: \"5d41402a\"\nCache-Control: max-age=0\n",
    ),
    ("GET", ("If-Match", "\"7d793037\""), "412\nContent-Type: text/plain\nVary: Accept\n"),
    ("GET", ("If-Modified-Since", "Wed, 21 Oct 2015 07:28:00 GMT"), "304\nETag: \"5d41402a\"\n"),
    ("GET", ("Accept", "*/*"), "204\nX-Page: a\n"),
    ("HEAD", ("Accept", "*/*"), "200\nContent-Type: text/plain\n\nhello"),
    ("DELETE", ("Accept", "*/*"), "204\nX-Page: a\n"),
    (
        "GET",
        ("Accept", "*/*"),
        "200\nSet-Cookie: a=1; Path=/\nSet-Cookie: b=2; Path=/; HttpOnly\nSet-Cookie: a=3; Path=/x\n\nhello",
    ),
    (
        "GET",
        ("Accept", "*/*"),
        "200\nLink: </b>; rel=next\nX-Thrice: 3\nLink: </a>; rel=prev\nX-Thrice: 1\nX-Thrice: 2\n\nhello",
    ),
    (
        "GET",
        ("Accept", "application/json"),
        "401\nDocker-Distribution-Api-Version: registry/2.0\nDocker-Content-Digest: sha256:01\n\nno",
    ),
    ("POST", ("Idempotency-Key", "key-1"), "201\nContent-Type: text/plain\n\nmade"),
    ("GET", ("Sec-Purpose", "prefetch"), "200\nContent-Type: text/html\n\nhello"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use conformance_suite::literal::wire_bytes;

    #[test]
    fn each_request_is_in_the_notation_and_has_its_mark() {
        for number in 0..REQUESTS {
            let text = request(number, "/a", "/b");
            let bytes = wire_bytes(&format!("\n{text}\n")).expect("it is in the notation");
            assert!(!bytes.starts_with(b"\r\n"), "{text}");
            assert!(text.contains("X-Conformance-Id: {id}"), "{text}");
            assert!(!text.contains("{t}") && !text.contains("{s}"), "{text}");
        }
        assert_eq!(SMUGGLED.replace('\n', "\r\n").len() + 2, 35);
    }

    /// A user whose request lacks a byte waits until the suite gives up.
    #[test]
    fn what_a_router_serves_has_the_length_that_it_tells() {
        for number in REFUSED.len()..REQUESTS {
            let bytes = wire_bytes(&format!("\n{}\n", request(number, "/a", "/b"))).unwrap();
            let end = bytes.windows(4).position(|it| it == b"\r\n\r\n").unwrap();
            let head = String::from_utf8_lossy(&bytes[..end]);
            let mut lengths = head.lines().filter_map(|line| line.strip_prefix("Content-Length: "));
            if let Some(length) = lengths.next() {
                assert!(bytes.len() - end - 4 >= length.parse().unwrap(), "{head}");
            }
        }
    }
}
