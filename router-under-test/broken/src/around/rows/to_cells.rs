//! The bytes of connections to cells.

use std::cmp::Reverse;
use std::sync::Mutex;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use super::to_users::with_the_first_length;
use crate::around::bytes::*;
use crate::around::prelude::*;
use crate::around::state::lock;

super::wrong! {
    "takes-stray-bytes-for-responses": Both, "Z-86",
        "bytes that a cell sent on an idle connection are the response to the next request" =>
        &[CellBytes(|| Box::new(Patient::default()))];
    "takes-cut-heads-for-responses": Both, "Z-48", "a truncated head counts as a complete one" =>
        &[CellBytes(|| Box::new(Heads { ending: completed, ..Heads::default() }))];
    "knows-the-redirect-field-in-one-spelling": Buffering, "BF-03",
        "the name of the redirect header is matched with case" =>
        &[CellBytes(|| incoming(|head| in_one_spelling(&head, "X-Gitlab-Cell-Redirect")))];
    "knows-the-cache-field-in-one-spelling": Buffering, "CA-03",
        "the name of the cache header is matched with case" =>
        &[CellBytes(|| incoming(|head| in_one_spelling(&head, "X-Gitlab-Cell-Cache")))];
    "drops-lengths-of-zero": Both, "Z-69",
        "a POST with an empty body is sent without Content-Length" =>
        &[CellBytes(|| outgoing(|head| keep(&head, |name, value| {
            name != "content-length" || value != b"0"
        })))];
    "chunks-requests-without-content": Both, "Z-69",
        "a request without content goes to the cell with an empty chunked body" =>
        &[CellBytes(|| outgoing(|head| match head.strip_suffix(b"\r\n") {
            Some(fields) if head.starts_with(b"DELETE") => {
                [fields, b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"].concat()
            }
            _ => head,
        }))];
    "pings-cells-ahead-of-ranges": Both, "Z-75",
        "a line that is not HTTP goes to the cell ahead of each range request" =>
        &[ToCellLater(|at, step, request, _| Box::pin(async move {
            if !request.headers().contains_key(RANGE) {
                return;
            }
            let url = &at.ask.topology.cell(step.cell).url;
            if let Ok(mut cell) = TcpStream::connect((url.host(), url.port())).await {
                // Where the cell says nothing to it, the request goes on.
                let _ = cell.write_all(b"PING\r\n\r\n").await;
                let _ = cell.read_to_end(&mut Vec::new()).await;
            }
        }))];
    "takes-the-first-length": Both, "Z-49",
        "of two Content-Length fields of a response the first counts" =>
        &[CellBytes(|| incoming(with_the_first_length))];
    "takes-a-100-for-the-response": Both, "Z-100",
        "a 100 that nobody asked for is taken for the response" =>
        &[CellBytes(|| incoming(|head| broken_if(head.starts_with(b"HTTP/1.1 100"), head)))];
    "knows-three-interim-responses": Both, "Z-100",
        "an interim response other than 100, 102 and 103 is an invalid response" =>
        &[CellBytes(|| incoming(|head| {
            let known = [&b"100"[..], b"101", b"102", b"103"];
            let is_unknown = head.starts_with(b"HTTP/1.1 1") && !known.contains(&&head[9..12]);
            broken_if(is_unknown, head)
        }))];
    "ends-at-a-102": Both, "Z-100", "a 102 is taken for an empty response" =>
        &[CellBytes(|| incoming(|head| match head.starts_with(b"HTTP/1.1 102") {
            true => b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".to_vec(),
            false => head,
        }))];
    "loses-early-responses": Learning, "Z-103",
        "a response that comes before its request has been sent is lost" =>
        &[CellBytes(|| Box::new(SendsFirst::default()))];
    "ends-uploads-with-the-response": Learning, "Z-61",
        "what is left of an upload is not sent once the response has begun; chunks are ended well" =>
        &[CellBytes(|| Box::new(StopsSending::default()))];
    "forgets-half-an-upload": Learning, "Z-104",
        "what is left of an upload with a length is not sent once the response has begun, and the \
         connection is used again" =>
        &[CellBytes(|| Box::new(StopsSending { keeps_chunks: true, ..Default::default() }))];
    "needs-a-reason": Both, "RT-08", "a response with an empty reason phrase is refused" =>
        &[CellBytes(|| incoming(|head| {
            let line = lines(&head).swap_remove(0);
            broken_if(line.len() <= b"HTTP/1.1 200 ".len(), head)
        }))];
    "reads-reasons-as-ascii": Both, "RT-08",
        "a response with another byte than ASCII in its reason phrase is refused" =>
        &[CellBytes(|| incoming(|head| broken_if(!lines(&head)[0].is_ascii(), head)))];
    "refuses-old-cells": Both, "Z-109", "a response of HTTP/1.0 is refused" =>
        &[CellBytes(|| incoming(|head| broken_if(head.starts_with(b"HTTP/1.0"), head)))];
    "takes-old-responses-for-empty": Both, "Z-109",
        "a response of HTTP/1.0 without a length is taken for empty" =>
        &[CellBytes(|| incoming(|head| {
            let text = String::from_utf8_lossy(&head).to_lowercase();
            match text.starts_with("http/1.0") && !text.contains("content-length") {
                true => [&head[..head.len() - 2], b"Content-Length: 0\r\n\r\n"].concat(),
                false => head,
            }
        }))];
    "counts-in-31-bits": Both, "Z-21", "a response with a length of 2 GiB or more is refused" =>
        &[CellBytes(|| incoming(|head| {
            let is_long = |line: &Vec<u8>| field(line).is_some_and(|(name, value)| {
                name == "content-length" && value.len() >= 10
            });
            let is_beyond = lines(&head).iter().any(is_long) && head.starts_with(b"HTTP/1.1");
            broken_if(is_beyond && !String::from_utf8_lossy(&head).contains(": 0"), head)
        }))];
    "reads-padded-lengths-as-octal": Both, "Z-21",
        "a length of a response that begins with a zero is refused" =>
        &[CellBytes(|| incoming(|head| change(&head, "content-length", |length| {
            let is_padded = length.len() > 1 && length.starts_with('0');
            if is_padded { "-1".to_owned() } else { length.to_owned() }
        })))];
    "takes-trailers-of-responses-for-fields": Both, "Z-101",
        "the trailers of a response are added to its fields" =>
        &[CellBytes(|| Box::new(TrailersFirst::default()))];
    "keeps-lengths-in-32-bits": Both, "Z-21", "the length of a response is kept in 32 bits" =>
        &[CellBytes(|| incoming(with_32_bits))];
    "loses-what-comes-with-a-101": Both, "Z-23", claims "upgrade",
        "bytes that are read together with the head of a 101 are dropped" =>
        &[CellBytes(|| Box::new(Tunnel { loses: true, ..Tunnel::default() }))];
    "ends-tunnels-after-a-second": Both, "Z-23", claims "upgrade",
        "the time limit for a response goes on in the tunnel" =>
        &[CellBytes(|| Box::new(Tunnel::default()))];
}

super::variants! {
    "reorders-fields": Both, "fields of different names are forwarded in reverse order" =>
        &[CellBytes(|| Box::new(Heads { coming: reordered, going: reordered, ..Heads::default() }))];
    "skips-malformed-fields": Both, "an invalid line in the head of a response is dropped" =>
        &[CellBytes(|| incoming(without_malformed_lines))];
}

/// A head that is none, in place of one that the router should understand.
fn broken_if(is_wrong: bool, head: Vec<u8>) -> Vec<u8> {
    if is_wrong { b"no HTTP\r\n\r\n".to_vec() } else { head }
}

/// Loses what comes while a request is being sent.
#[derive(Default)]
struct SendsFirst(Scanner);

impl Filter for SendsFirst {
    fn comes(&mut self, bytes: Vec<u8>) -> Vec<u8> {
        if self.0.has_gone() { bytes } else { Vec::new() }
    }

    fn goes(&mut self, bytes: Vec<u8>) -> Vec<u8> {
        self.0.goes(&bytes, |head| head)
    }
}

/// Drops what is left of a request when its response comes.
#[derive(Default)]
struct StopsSending {
    scanner: Scanner,
    keeps_chunks: bool,
    is_chunked: bool,
    stops: bool,
}

impl Filter for StopsSending {
    fn comes(&mut self, bytes: Vec<u8>) -> Vec<u8> {
        self.stops |= !(self.scanner.has_gone() || self.is_chunked && self.keeps_chunks);
        bytes
    }

    fn goes(&mut self, bytes: Vec<u8>) -> Vec<u8> {
        let mut out = Vec::new();
        for byte in bytes {
            let stopped = self.stops;
            let passed = self.scanner.goes(&[byte], |head| {
                self.is_chunked = head.windows(7).any(|word| word == b"chunked");
                head
            });
            out.extend(passed.into_iter().filter(|_| !stopped));
            if self.scanner.has_gone() && std::mem::take(&mut self.stops) && self.is_chunked {
                out.extend(b"0\r\n\r\n");
            }
        }
        out
    }
}

/// Puts the trailers of a message ahead of its body. A message without `Trailer` passes.
#[derive(Default)]
pub(super) struct TrailersFirst(Vec<u8>);

impl Filter for TrailersFirst {
    fn comes(&mut self, bytes: Vec<u8>) -> Vec<u8> {
        self.0.extend(bytes);
        let text = String::from_utf8_lossy(&self.0).to_lowercase();
        let Some(last) = text.find("\r\n0\r\n").filter(|_| text.contains("\ntrailer:")) else {
            let waits = text.contains("\ntrailer:");
            return if waits { Vec::new() } else { std::mem::take(&mut self.0) };
        };
        let head = text.find("\r\n\r\n").unwrap_or_default() + 2;
        let all = std::mem::take(&mut self.0);
        let trailers = all[last + 5..].strip_suffix(b"\r\n").unwrap_or_default();
        [&all[..head], trailers, &all[head..last + 5], b"\r\n"].concat()
    }

    fn ends(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.0)
    }
}

/// What cells sent while nothing was asked for.
static STRAY: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// Keeps what comes while nothing was asked for, until something is: on whichever connection, since
/// each thread of the router has its own.
#[derive(Default)]
struct Patient(Scanner);

impl Filter for Patient {
    fn comes(&mut self, bytes: Vec<u8>) -> Vec<u8> {
        let mut stray = lock(&STRAY);
        let mut out = if self.0.is_asked() { std::mem::take(&mut *stray) } else { Vec::new() };
        for byte in bytes {
            if self.0.is_between() && !self.0.is_asked() {
                stray.push(byte);
            } else {
                out.extend(self.0.comes(&[byte], |head| head));
            }
        }
        out
    }

    fn goes(&mut self, bytes: Vec<u8>) -> Vec<u8> {
        self.0.goes(&bytes, |head| head)
    }
}

/// Ends a head for a cell that did not.
fn completed(mut head: Vec<u8>) -> Vec<u8> {
    if let Some(end) = head.iter().rposition(|byte| *byte == b'\n') {
        head.truncate(end + 1);
        head.extend(b"content-length: 0\r\n\r\n");
    }
    head
}

/// The head without the field where its name is spelled in another way.
fn in_one_spelling(head: &[u8], name: &str) -> Vec<u8> {
    let mut lines = lines(head);
    lines.retain(|line| {
        let found = line.split(|byte| *byte == b':').next().unwrap_or_default();
        let is_it = found.eq_ignore_ascii_case(name.as_bytes());
        !is_it || found == name.as_bytes()
    });
    head_of(&lines)
}

/// The names in reverse order; lines of one name keep theirs (RFC 9110 5.3).
fn reordered(head: Vec<u8>) -> Vec<u8> {
    let mut lines = lines(&head);
    let mut fields = lines.split_off(lines.len().min(1));
    let name = |line: &[u8]| field(line).map(|(name, _)| name);
    let names: Vec<_> = fields.iter().map(|line| name(line)).collect();
    fields.sort_by_key(|line| Reverse(names.iter().position(|other| *other == name(line))));
    lines.extend(fields);
    head_of(&lines)
}

fn without_malformed_lines(head: Vec<u8>) -> Vec<u8> {
    let is_field = |line: &[u8]| {
        let name = line.split(|byte| *byte == b':').next().unwrap_or_default();
        name.len() < line.len() && http::HeaderName::from_bytes(name).is_ok()
    };
    let mut lines = lines(&head).into_iter();
    let first = lines.next();
    head_of(&first.into_iter().chain(lines.filter(|line| is_field(line))).collect::<Vec<_>>())
}

/// What comes on a connection that changes its protocol: for a second.
#[derive(Default)]
struct Tunnel {
    since: Option<Instant>,
    /// Whether what comes with the head of the 101 is lost instead.
    loses: bool,
}

impl Filter for Tunnel {
    fn comes(&mut self, mut bytes: Vec<u8>) -> Vec<u8> {
        if bytes.starts_with(b"HTTP/1.1 101") {
            self.since = Some(Instant::now());
            let end = bytes.windows(4).position(|four| four == b"\r\n\r\n");
            bytes.truncate(end.filter(|_| self.loses).map_or(bytes.len(), |end| end + 4));
        }
        let is_late = self.since.is_some_and(|since| since.elapsed() > Duration::from_secs(1));
        if is_late && !self.loses { Vec::new() } else { bytes }
    }
}

fn with_32_bits(head: Vec<u8>) -> Vec<u8> {
    change(&head, "content-length", |length| match length.parse::<u64>() {
        Ok(length) => (length % (1 << 32)).to_string(),
        Err(_) => length.to_owned(),
    })
}
