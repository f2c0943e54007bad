//! Heads and bodies as they are written.

use std::io::{self, IoSlice, Write as _};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::{Buf as _, Bytes};
use http::header::{CONTENT_LENGTH, DATE, TRANSFER_ENCODING};
use http::{HeaderMap, Method, StatusCode, Version};
use tokio::io::AsyncWrite;

use super::date;
use super::input::Scratch;
use super::response::Reason;

/// Tells a user to send the body (RFC 9110 15.2.1).
pub(crate) const CONTINUE: &[u8] = b"HTTP/1.1 100 Continue\r\n\r\n";

/// Data up to this many bytes is copied after the head: one piece is cheaper to write than two.
const COPIED: usize = 4 * 1024;

/// How the end of a body is told to the receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// There is none, or its length is in the fields already, or the connection ends after it.
    Plain,
    /// So many bytes, which the fields say from here on.
    Length(u64),
    /// Chunks.
    Chunked,
}

/// Writes the head of a request.
pub(crate) fn request_head(
    out: &mut Vec<u8>,
    method: &Method,
    target: &str,
    headers: &HeaderMap,
    encoding: Encoding,
) {
    // An absolute target may have a query and no path (RFC 9112 3.2.1).
    let path = if target.starts_with('/') || target == "*" { "" } else { "/" };
    for part in [method.as_str(), " ", path, target, " HTTP/1.1\r\n"] {
        out.extend_from_slice(part.as_bytes());
    }
    fields(out, headers);
    framing(out, headers, encoding);
    out.extend_from_slice(b"\r\n");
}

/// Writes the head of a response, with the time where it has none (RFC 9110 6.6.1), and with what
/// becomes of the connection after it.
pub(crate) fn response_head(
    out: &mut Vec<u8>,
    (version, status): (Version, StatusCode),
    reason: Option<&Reason>,
    headers: &HeaderMap,
    encoding: Encoding,
    connection: Option<&'static str>,
) {
    let version: &[u8] = if version == Version::HTTP_10 { b"HTTP/1.0 " } else { b"HTTP/1.1 " };
    out.extend_from_slice(version);
    out.extend_from_slice(status.as_str().as_bytes());
    out.push(b' ');
    let usual = || status.canonical_reason().unwrap_or_default().as_bytes();
    out.extend_from_slice(reason.map_or_else(usual, |reason| &reason.0));
    out.extend_from_slice(b"\r\n");
    fields(out, headers);
    if !headers.contains_key(DATE) {
        out.extend_from_slice(b"date: ");
        date::write_now(out);
        out.extend_from_slice(b"\r\n");
    }
    if let Some(option) = connection {
        for part in ["connection: ", option, "\r\n"] {
            out.extend_from_slice(part.as_bytes());
        }
    }
    framing(out, headers, encoding);
    out.extend_from_slice(b"\r\n");
}

fn fields(out: &mut Vec<u8>, headers: &HeaderMap) {
    for (name, value) in headers {
        // What follows says how the body ends.
        if *name == TRANSFER_ENCODING {
            continue;
        }
        out.extend_from_slice(name.as_str().as_bytes());
        out.extend_from_slice(b": ");
        out.extend_from_slice(value.as_bytes());
        out.extend_from_slice(b"\r\n");
    }
}

fn framing(out: &mut Vec<u8>, headers: &HeaderMap, encoding: Encoding) {
    match encoding {
        Encoding::Length(length) if !headers.contains_key(CONTENT_LENGTH) => {
            // Memory takes all that is written to it.
            let _ = write!(out, "content-length: {length}\r\n");
        }
        Encoding::Chunked => out.extend_from_slice(b"transfer-encoding: chunked\r\n"),
        Encoding::Plain | Encoding::Length(_) => {}
    }
}

/// What is to be written next: a head or the framing of a chunk, then data, then what ends it.
#[derive(Debug)]
pub(crate) struct Pieces {
    head: Scratch,
    written: usize,
    data: Bytes,
    tail: &'static [u8],
    total: u64,
}

impl Pieces {
    /// Nothing.
    pub(crate) fn new() -> Self {
        Self { head: Scratch::new(), written: 0, data: Bytes::new(), tail: b"", total: 0 }
    }

    /// Where a head is written to.
    pub(crate) fn head(&mut self) -> &mut Vec<u8> {
        self.head.bytes()
    }

    /// Adds data in this encoding; nothing may be added after it before it was written.
    pub(crate) fn add(&mut self, data: Bytes, encoding: Encoding) {
        let chunked = encoding == Encoding::Chunked;
        let head = self.head.bytes();
        if chunked {
            let _ = write!(head, "{:x}\r\n", data.len());
        }
        let tail: &[u8] = if chunked { b"\r\n" } else { b"" };
        if data.len() <= COPIED {
            head.extend_from_slice(&data);
            head.extend_from_slice(tail);
        } else {
            (self.data, self.tail) = (data, tail);
        }
    }

    /// Adds the end of a body in this encoding.
    pub(crate) fn add_end(&mut self, encoding: Encoding) {
        if encoding == Encoding::Chunked {
            if self.data.is_empty() && self.tail.is_empty() {
                self.head.bytes().extend_from_slice(b"0\r\n\r\n");
            } else {
                self.tail = b"\r\n0\r\n\r\n";
            }
        }
    }

    /// Whether there is nothing to write.
    pub(crate) fn is_empty(&self) -> bool {
        self.written == self.head.len() && self.data.is_empty() && self.tail.is_empty()
    }

    /// Whether something may be added.
    pub(crate) fn has_room(&self) -> bool {
        self.data.is_empty() && self.tail.is_empty() && self.head.len() < COPIED
    }

    /// How many bytes were written in all.
    pub(crate) fn total(&self) -> u64 {
        self.total
    }

    /// Writes all of it.
    pub(crate) fn poll_write(
        &mut self,
        stream: &mut (impl AsyncWrite + Unpin),
        cx: &mut Context<'_>,
    ) -> Poll<io::Result<()>> {
        loop {
            let head = &self.head[self.written..];
            let written = if self.data.is_empty() && self.tail.is_empty() {
                if head.is_empty() {
                    self.head.bytes().clear();
                    self.written = 0;
                    return Poll::Ready(Ok(()));
                }
                ready!(Pin::new(&mut *stream).poll_write(cx, head))?
            } else {
                let slices = [head, &self.data, self.tail].map(IoSlice::new);
                ready!(Pin::new(&mut *stream).poll_write_vectored(cx, &slices))?
            };
            if written == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            self.took(written);
        }
    }

    fn took(&mut self, written: usize) {
        self.total += written as u64;
        let of_head = written.min(self.head.len() - self.written);
        self.written += of_head;
        let of_data = (written - of_head).min(self.data.len());
        self.data.advance(of_data);
        if self.data.is_empty() {
            // Also an empty piece keeps the buffer that it was read into.
            self.data = Bytes::new();
        }
        self.tail = &self.tail[written - of_head - of_data..];
    }
}
