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
}

super::variants! {
    "reorders-fields": Both, "fields of different names are forwarded in reverse order" =>
        &[CellBytes(|| Box::new(Heads { coming: reordered, going: reordered, ..Heads::default() }))];
    "skips-malformed-fields": Both, "an invalid line in the head of a response is dropped" =>
        &[CellBytes(|| incoming(without_malformed_lines))];
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
