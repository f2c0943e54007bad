//! What RFC 9112 forbids in a request, byte by byte: no journal takes it for a request.

use std::time::Duration;

use cell_fleet::{CellId, Event, Fleet, FleetPlan, Listen, Protocol};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

const PARTS: &str = "a request line of other than three parts";
const VERSION: &str = "a version that is neither HTTP/1.1 nor HTTP/1.0";
const METHOD: &str = "a method that is no token";
const IN_TARGET: &str = "a control byte in the target";
const FORM: &str = "a target of no form";

/// Request lines. RFC 9112 2.2, 2.3, 3, 3.2, 3.2.3 and 3.2.4.
const REQUEST_LINES: &[(&[u8], &str)] = &[
    (b"GET  /a HTTP/1.1", PARTS),
    (b"GET\t/a HTTP/1.1", PARTS),
    (b"GET /a HTTP/1.1 ", PARTS),
    (b" GET /a HTTP/1.1", PARTS),
    (b"GET /a", PARTS),
    (b"GET /a HTTP/1.2", VERSION),
    (b"GET /a http/1.1", VERSION),
    (b"GE(T /a HTTP/1.1", METHOD),
    (b"\rGET /a HTTP/1.1", METHOD),
    (b"GET /a\0b HTTP/1.1", IN_TARGET),
    (b"GET /a\rb HTTP/1.1", IN_TARGET),
    (b"GET /a\x7f HTTP/1.1", IN_TARGET),
    (b"GET a HTTP/1.1", FORM),
    (b"GET * HTTP/1.1", FORM),
];

const BARE_CR: &str = "a bare CR in a field line";
const IN_VALUE: &str = "a control byte in a field value";
const NAME: &str = "a field name that is no token";
const BLANK: &str = "a blank before the colon";
const FOLDED: &str = "a folded field line";
const COLON: &str = "a field line without a colon";
const HOSTS: &str = "more than one Host";
const LENGTH: &str = "a length that is no number of 64 bits";
const CODING: &str = "a last coding that is not chunked";
const TWICE: &str = "chunked twice";

/// Field lines in addition to a `Host`. RFC 9112 2.2, 3.2, 5, 5.1, 5.2, 6.1 and 6.3; RFC 9110 5.5.
const FIELDS: &[(&[u8], &str)] = &[
    (b"X-A: a\rb", BARE_CR),
    (b"X-A: a\r\r", BARE_CR),
    (b"X-A: a\0b", IN_VALUE),
    (b"X-A: a\x7fb", IN_VALUE),
    (b"X-\0A: a", NAME),
    (b"X-\xe9: a", NAME),
    (b": a", NAME),
    (b"X-A : a", BLANK),
    (b"X-A\t: a", BLANK),
    (b" X-A: a", FOLDED),
    (b"X-A: a\r\n b", FOLDED),
    (b"X-A:\r\n\ta", FOLDED),
    (b"X-A", COLON),
    (b"Host: gitlab.example", HOSTS),
    (b"Content-Length: +1", LENGTH),
    (b"Content-Length: -1", LENGTH),
    (b"Content-Length: 1, 2", LENGTH),
    (b"Content-Length: 0x1", LENGTH),
    (b"Content-Length:", LENGTH),
    (b"Content-Length: 18446744073709551616", LENGTH),
    (b"Content-Length: 1\r\nContent-Length: 2", "two lengths"),
    (b"Transfer-Encoding: gzip", CODING),
    (b"Transfer-Encoding: chunked;q=1", CODING),
    (b"Transfer-Encoding: gzip\xe9, chunked", "a coding that is no token"),
    (b"Transfer-Encoding: chunked, chunked", TWICE),
    (b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", TWICE),
];

const HOST: &str = "a Host that cannot be a host";

/// Whole heads: those without a good `Host` (RFC 9112 3.2), and a coding of HTTP/1.0 (6.1).
const HEADS: &[(&[u8], &str)] = &[
    (b"GET /a HTTP/1.1\r\n\r\n", "no Host"),
    (b"GET /a HTTP/1.1\r\nHost: a b\r\n\r\n", HOST),
    (b"GET /a HTTP/1.1\r\nHost: a:b\r\n\r\n", HOST),
    (b"GET /a HTTP/1.1\r\nHost: a\xe9\r\n\r\n", HOST),
    (b"POST /a HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", "a transfer coding in HTTP/1.0"),
];

const SIZE: &str = "a chunk size that is no hexadecimal number of 64 bits";
const NO_EXTENSION: &str = "a blank behind a chunk size without an extension";
const EXTENSION: &str = "a control byte in chunk extensions";
const DATA: &str = "a chunk without CRLF behind its data";
const END: &str = "trailers without their end";

/// Chunked bodies. RFC 9112 7.1, 7.1.1 and 7.1.2.
const CHUNKS: &[(&[u8], &str)] = &[
    (b"+1\r\na\r\n0\r\n\r\n", SIZE),
    (b"1g\r\na\r\n0\r\n\r\n", SIZE),
    (b" 1\r\na\r\n0\r\n\r\n", SIZE),
    (b";a\r\na\r\n0\r\n\r\n", SIZE),
    (b"10000000000000001\r\na\r\n0\r\n\r\n", SIZE),
    (b"1\n a\r\n0\r\n\r\n", "a bare LF behind a chunk size"),
    (b"1\ra\r\n0\r\n\r\n", "a bare CR behind a chunk size"),
    (b"1 \r\na\r\n0\r\n\r\n", NO_EXTENSION),
    (b"1\r\na\r\n0\t\r\n\r\n", NO_EXTENSION),
    (b"1;a\0\r\na\r\n0\r\n\r\n", EXTENSION),
    (b"1;a\nb\r\na\r\n0\r\n\r\n", EXTENSION),
    (b"1\r\nab\r\n0\r\n\r\n", DATA),
    (b"1\r\na\n0\r\n\r\n", DATA),
    (b"0\r\n\rX", END),
    (b"0\r\nX-A\r\n\r\n", COLON),
    (b"0\r\nX-A : a\r\n\r\n", BLANK),
    (b"0\r\nX-A: a\r\n b\r\n\r\n", FOLDED),
    (b"0\r\nX-A: a\rb\r\n\r\n", BARE_CR),
    (b"0\r\nX-A: a\0b\r\n\r\n", IN_VALUE),
];

/// What is well-formed, or what RFC 9112 lets a server take.
const FAIR: &[&[u8]] = &[
    b"GET /a HTTP/1.1\r\nHost: a\r\nX-A: \xe9\xff\r\n\r\n",
    b"GET /a HTTP/1.1\r\nHost:   a\t \r\nX-A: \t  a \t b\t\r\nX-B:\r\nX-C: \r\n\r\n",
    b"\r\n\r\nGET /a HTTP/1.1\r\nHost: [::1]:80\r\n\r\n",
    b"GET /a HTTP/1.1\nHost: a\n\n",
    b"GET /a HTTP/1.0\r\n\r\n",
    b"GET /a|{b}?c|[d] HTTP/1.1\r\nHost:\r\n\r\n",
    b"GET http://a/b HTTP/1.1\r\nHost: a_b.c:\r\n\r\n",
    b"OPTIONS * HTTP/1.1\r\nHost: a\r\n!#$%&'*+-.^_`|~9z: a\r\n\r\n",
    b"POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 001\r\nContent-Length: 1\r\n\r\na",
    b"POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip ,\tCHUNKED \r\n\r\n0\r\n\r\n",
    b"POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
];

/// Chunked bodies that are well formed.
const FAIR_CHUNKS: &[&[u8]] = &[
    b"1 ;a\r\na\r\n0\t; b = c\r\n\r\n",
    b"00a;a=\"b \xe9;\t\";c\r\n0123456789\r\n00\r\n\r\n",
    b"1\r\n\n\r\nB\r\n0\r\n\r\n0\r\n\r\n0\r\n0\r\nX-A:\t\xe9 \r\nX-B:\r\n\r\n",
];

const CODED: &[u8] =
    b"POST /a HTTP/1.1\r\nHost: gitlab.example\r\nTransfer-Encoding: chunked\r\n\r\n";

async fn started() -> Fleet {
    let plan = FleetPlan::documents(Protocol::Buffering);
    Fleet::start(plan, Listen::Ephemeral).await.unwrap()
}

/// Sends these bytes to a cell, and nothing behind them. Returns what the journal takes them for.
async fn taken_for(fleet: &Fleet, bytes: &[u8]) -> &'static str {
    let before = fleet.journal().entries().len();
    let address = fleet.cell(&CellId::us(0)).unwrap().address;
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(bytes).await.unwrap();
    // Where the cell has closed already, both fail.
    let _ = stream.shutdown().await;
    let _ = stream.read_to_end(&mut Vec::new()).await;
    let taken = fleet.journal().wait_for(|entries| {
        entries[before..].iter().find_map(|entry| match &entry.event {
            Event::RequestRead { .. } => Some("a request"),
            Event::NotHttp { malformed, .. } => Some(malformed.unwrap_or("no request")),
            _ => None,
        })
    });
    tokio::time::timeout(Duration::from_secs(5), taken).await.unwrap_or("nothing")
}

#[tokio::test]
async fn what_rfc_9112_forbids_is_no_request() {
    let fleet = started().await;
    let (line_end, host) = (&b"\r\nHost: a\r\n\r\n"[..], &b"POST /a HTTP/1.1\r\nHost: a\r\n"[..]);
    let lines = REQUEST_LINES.iter().map(|(line, why)| ([line, line_end].concat(), why));
    let fields = FIELDS.iter().map(|(field, why)| ([host, field, b"\r\n\r\n"].concat(), why));
    let heads = HEADS.iter().map(|(head, why)| (head.to_vec(), why));
    let chunks = CHUNKS.iter().map(|(body, why)| ([CODED, body].concat(), why));
    let mut wrong = Vec::new();
    for (bytes, why) in lines.chain(fields).chain(heads).chain(chunks) {
        let taken = taken_for(&fleet, &bytes).await;
        if taken != *why {
            wrong.push(format!("{}: {taken}, not {why}", bytes.escape_ascii()));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    fleet.stop().await.unwrap();
}

#[tokio::test]
async fn what_is_well_formed_is_a_request() {
    let fleet = started().await;
    let journal = fleet.journal().clone();
    let chunks = FAIR_CHUNKS.iter().map(|body| [CODED, body].concat());
    let mut wrong = Vec::new();
    for bytes in FAIR.iter().map(|bytes| bytes.to_vec()).chain(chunks) {
        let taken = taken_for(&fleet, &bytes).await;
        if taken != "a request" {
            wrong.push(format!("{}: {taken}", bytes.escape_ascii()));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    fleet.stop().await.unwrap();
    // Nothing is left over behind a request.
    let entries = journal.entries();
    assert!(!entries.iter().any(|entry| matches!(entry.event, Event::NotHttp { .. })));
}
