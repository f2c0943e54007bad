//! Odd messages: what users and cells write in ways that a library never does. The model judges each
//! by its bytes.
//!
//! `{t}` is a target, `{p}` the path of its place, `{o}` the path of another place, `{owner}` and
//! `{other}` are cells, `{redirect}` and `{cache}` the fields of cells.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use conformance_suite::catalog::Catalog;

/// The path that the requests of the features are about.
const OF_FEATURES: &str = "/acme/things";

/// The requests that visitors send byte for byte in the features.
pub(super) static REQUESTS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let steps = Catalog::embedded().cases.into_iter().flat_map(|case| case.steps);
    let raw = steps.filter(|step| step.value == "visitor sends raw bytes:");
    let texts: BTreeSet<_> = raw.filter_map(|step| step.docstring).collect();
    texts.into_iter().filter(|text| text.contains(OF_FEATURES) && !has_bad_chunks(text)).collect()
});

/// Whether a request hides in chunks that are malformed: the model reads no bodies.
fn has_bad_chunks(text: &str) -> bool {
    let body = text.split_once("chunked\n\n").map_or("", |(_, body)| body);
    body.contains("/smuggled") && !body.starts_with("0\n")
}

/// A request by its number, to this target.
pub(super) fn request(number: usize, target: &str) -> String {
    REQUESTS[number % REQUESTS.len()].replace(OF_FEATURES, target)
}

/// A cell writes the text byte for byte.
pub(super) const RAW: &str = "responds to \"{t}\" with raw bytes:";

/// What a cell does instead of its response: the rest of a Given step, and its text.
pub(super) const INSTEAD: [(&str, &str); 31] = [
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
        RAW,
        "HTTP/1.1 103 Early Hints\nLink: </a>; rel=preload\n\nHTTP/1.1 103 Early Hints\nLink: </b>; rel=preload\n\nHTTP/1.1 200 OK\nContent-Length: 5\n\nhello\\",
    ),
    // Interim responses that nobody asked for, and one that nobody knows.
    (RAW, "HTTP/1.1 100 Continue\n\nHTTP/1.1 200 OK\nContent-Length: 5\n\nhello\\"),
    (RAW, "HTTP/1.1 102 Processing\nX-Step: 1\n\nHTTP/1.1 201 Created\nContent-Length: 0\n\n\\"),
    (RAW, "HTTP/1.1 199 Odd\n\nHTTP/1.1 404 Not Found\nContent-Length: 4\n\ngone\\"),
    (RAW, "HTTP/1.1 419 \nContent-Length: 7\nConnection: close\n\nexpired\\"),
    (RAW, "HTTP/1.1 520 Odd\nTransfer-Encoding: chunked\n\n3\nodd\n0\nX-Sum: 1\n"),
    (RAW, "HTTP/1.1 200 OK\nX!Odd~Name.9: a\nX-Empty:\nContent-Length: 5\n\nhello\\"),
    (
        "sends bytes 20 ms after its response to \"{t}\":",
        "HTTP/1.1 200 OK\nContent-Type: text/plain\nContent-Length: 7\n\nspoiled\\",
    ),
];

/// Fields of requests, and the response that a cell has for them.
pub(super) const ASKED: [(&str, (&str, &str), &str); 22] = [
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
    // Statuses that few know, and those by which a router itself refuses.
    ("POST", ("X-CSRF-Token", "of-yesterday"), "419\nContent-Type: text/plain\n\nexpired"),
    ("GET", ("Accept", "*/*"), "450\nContent-Type: text/plain\n\nblocked"),
    ("PUT", ("Idempotency-Key", "key-2"), "520\nContent-Type: text/plain\n\nodd"),
    ("GET", ("Early-Data", "1"), "425\nContent-Type: text/plain\n\nearly"),
    ("POST", ("Idempotency-Key", "key-3"), "502\nContent-Type: text/plain\n\nof the cell"),
    ("DELETE", ("Accept", "*/*"), "504\nRetry-After: 1\nContent-Type: text/plain\n\nof the cell"),
    ("GET", ("Accept", "*/*"), "299\nX-Page: a\n\nhello"),
    // Names with each sign that a token may have (RFC 9110 5.6.2).
    ("GET", ("X!#$%&'*+.^`|~9", "signs"), "200\nX-Page.Count: 3\nX!#$%&'*+^`|~9: signs\n\nhello"),
    ("POST", ("X-Api.Version", "2"), "205\nX-Page.Count: 0\n"),
];

/// Fields that cells send with what they say, and that change nothing about it.
pub(super) const BESIDE: [&str; 8] = [
    "Cache-Control: no-store",
    "Cache-Control: max-age=600",
    "Set-Cookie: flavor=plain; Path=/",
    "Vary: *",
    "X-Of-No-Standard: 1",
    "Content-Language: nb, en",
    "Location: /somewhere/else",
    "Location: /elsewhere?x",
];

/// Statuses with which the redirect field says nothing.
pub(super) const NO_BOUNCES: [&str; 8] = ["200", "201", "301", "303", "307", "308", "404", "500"];

/// Statuses of a response that says where it comes from.
pub(super) const STATUSES: [&str; 6] = ["200", "201", "204", "302", "403", "500"];

/// Values of the redirect field, first those that lead to the owner.
pub(super) const REDIRECTS: [&str; 20] = [
    "{cell:{owner}}",
    "{cell:{owner}}",
    "{cell:{owner}}",
    "{ cell : {owner} }",
    "{cell: {owner}}",
    "{cell:{owner} }",
    "{x:1,cell:{owner}}",
    "{cell:{owner},x:1}",
    "{sub-cell:{other},cell:{owner}}",
    "{note:a cell,cell:{owner}}",
    "{cell:{owner},path_prefix:{p}/}",
    "{cell:{owner}}\n{redirect}: {cell:{other}}",
    "{cell:{owner}}\n{cache}: {path_prefix:{p}/}",
    "cell:{owner}",
    "{cell}",
    "{cell:}",
    "{}",
    "{cell:Cell ZZ9}",
    "{cell:evil.example}",
    "{cell:127.0.0.1:1}",
];

/// Values of the cache field, first those that announce the place.
pub(super) const CACHES: [&str; 21] = [
    "{path_prefix:{p}/}",
    "{path_prefix:{p}/}",
    "{path_prefix:{p}}",
    "{ path_prefix : {p}/ }",
    "{path_prefix: {p}/}",
    "{path_prefix:{p}/ }",
    "{path_prefix:/}",
    "{path_prefix:}",
    "{path_prefix:{o}}",
    "{path_prefix:{o}/}",
    "{x:1,path_prefix:{p}/}",
    "{path_prefix:{p}/,x:1}",
    "{path_prefix:{p}/,cell:{other}}",
    "{path_prefix:{p}/",
    "path_prefix:{p}/",
    "{path_prefix}",
    "{{p}/}",
    "{p}/",
    "{path_prefix={p}/}",
    "{path_prefix:{p}/}\n{redirect}: {cell:{other}}",
    "{path_prefix:{p}/}\n{redirect}-Hint: {cell:{other}}",
];

/// Learn responses, first those that name the owner: the status, with a field perhaps, and the body.
/// `{p escaped}` and `{owner escaped}` have the escapes of JSON.
pub(super) const LEARNED: [(&str, &str); 36] = [
    ("200", r#"{"path":"{p}","cell":"{owner}","source":"routable"}"#),
    ("200", r#"{"path":"{p}","cell":"{owner}","source":"routable"}"#),
    ("200", r#"{ "path" : "{p}" , "cell" : "{owner}" , "source" : "routable" }"#),
    ("200", r#"{"path":"{p escaped}","cell":"{owner}","source":"routable"}"#),
    ("200", r#"{"source":"routable","cell":"{owner escaped}","path":"{p}"}"#),
    ("200", r#"{"path":"{p}","cell":"{owner}","source":"fixed"}"#),
    ("200", r#"{"path":"{p}","cell":"{owner}","source":"routable","exact":false}"#),
    ("200", "{\n  \"path\": \"{p}/\",\n  \"cell\": \"{owner}\",\n  \"source\": \"routable\"\n}"),
    ("200", r#"{"path":"{p}","cell":"{owner}","source":"routable","version":2,"more":{"a":[1]}}"#),
    (
        "200",
        r#"{"was":{"cell":"{other}","path":"/"},"path":"{p}","cell":"{owner}","source":"routable"}"#,
    ),
    ("200", r#"{"path":"{p}","cell":"{owner}","Cell":"{other}","source":"routable"}"#),
    ("200", r#"{"path":"{p}","cell":"{owner}","CELL":"{other}","Path":"/","source":"routable"}"#),
    ("200", r#"{"path":"{p}","cell":"{owner}","source":"organization"}"#),
    ("200", r#"{"path":"{p}","cell":"{owner}"}"#),
    ("200", r#"{"path":"{o}","cell":"{owner}","source":"routable"}"#),
    ("200", r#"{"path":"/","cell":"{owner}","source":"routable"}"#),
    ("200", r#"{"path":"","cell":"{owner}","source":"routable"}"#),
    ("200", r#"{"path":"{p}","cell":5,"source":"routable"}"#),
    ("200", r#"{"path":null,"cell":"{owner}","source":"routable"}"#),
    ("200", r#"{"path":["{p}"],"cell":"{owner}","source":"routable"}"#),
    ("200", r#"["{p}","{owner}"]"#),
    ("200", r#"{"path":"{p}","cell":"{owner}","source":"rout"#),
    ("200", r#"{"path":"{p}","cell":"cell_zz9","source":"routable"}"#),
    ("200", r#"{"path":"{p}","cell":"evil.example","source":"routable"}"#),
    ("200", r#"{"path":"{p}","cell":"127.0.0.1:1","source":"routable"}"#),
    ("201", r#"{"path":"{p}","cell":"{owner}","source":"routable"}"#),
    ("202", r#"{"path":"{p}","cell":"{owner}","source":"routable"}"#),
    ("400", r#"{"error":"bad"}"#),
    ("403", r#"{"error":"forbidden"}"#),
    ("410", r#"{"error":"gone"}"#),
    ("500", r#"{"path":"{p}","cell":"{owner}","source":"routable"}"#),
    ("302\nLocation: /", "{}"),
    (
        "200\n{redirect}: {cell:{other_name}}",
        r#"{"path":"{p}","cell":"{owner}","source":"routable"}"#,
    ),
    ("200\n{cache}: {path_prefix:/}", r#"{"path":"{p}","cell":"{owner}","source":"routable"}"#),
    ("200\n{cache}: {path_prefix:{o}/}", r#"{"path":"{p}","cell":"{owner}","source":"routable"}"#),
    ("200\nCache-Control: no-store", r#"{"path":"{p}","cell":"{owner}","source":"routable"}"#),
];

#[cfg(test)]
mod tests {
    use super::*;
    use conformance_suite::literal::wire_bytes;

    #[test]
    fn the_features_have_many_requests_and_each_keeps_its_mark() {
        assert!(REQUESTS.len() > 100, "{}", REQUESTS.len());
        for number in 0..REQUESTS.len() {
            let text = request(number, "/a");
            wire_bytes(&text).expect("it is in the notation");
            let marks = ["X-Conformance-Id: {id}", "{host and id}"];
            assert!(marks.iter().any(|mark| text.contains(mark)), "{text}");
        }
    }
}
