//! What must be wrong in bytes: a filter around a connection of a user, or to a cell.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use reference_router::stream::Stream;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// Who is at the other end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    User,
    Cell,
}

/// Changes the bytes of one connection. What comes in is given in the pieces in which it was read.
pub(crate) trait Filter: Send {
    /// Bytes that the peer sent, as the router gets them.
    fn comes(&mut self, bytes: Vec<u8>) -> Vec<u8> {
        bytes
    }

    /// The peer sends no more, or has reset the connection: what the router gets in place of that.
    fn ends(&mut self) -> Vec<u8> {
        Vec::new()
    }

    /// Bytes that the router sends, as the peer gets them.
    fn goes(&mut self, bytes: Vec<u8>) -> Vec<u8> {
        bytes
    }

    /// What the peer gets although the router sends nothing; asked for after each read.
    fn says(&mut self) -> Vec<u8> {
        Vec::new()
    }
}

/// A connection, with a filter or none.
pub(crate) struct Bytes {
    stream: Stream,
    filter: Option<Box<dyn Filter>>,
    /// Read and filtered; the router has yet to take it.
    read: Vec<u8>,
    /// Filtered; the peer has yet to take it.
    written: Vec<u8>,
    has_ended: bool,
}

impl Bytes {
    pub(crate) fn new(stream: Stream, _: Side, filter: Option<Box<dyn Filter>>) -> Self {
        Self { stream, filter, read: Vec::new(), written: Vec::new(), has_ended: false }
    }

    /// Writes what was filtered.
    fn poll_written(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        while !self.written.is_empty() {
            let count = ready!(Pin::new(&mut self.stream).poll_write(cx, &self.written))?;
            self.written.drain(..count);
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncRead for Bytes {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = &mut *self;
        let Some(filter) = &mut this.filter else {
            return Pin::new(&mut this.stream).poll_read(cx, buffer);
        };
        while this.read.is_empty() && !this.has_ended {
            let mut space = vec![0; 16 * 1024];
            let mut raw = ReadBuf::new(&mut space);
            let outcome = ready!(Pin::new(&mut this.stream).poll_read(cx, &mut raw));
            this.has_ended = raw.filled().is_empty();
            this.read = match raw.filled() {
                [] => filter.ends(),
                bytes => filter.comes(bytes.to_vec()),
            };
            if this.read.is_empty() {
                outcome?;
            }
            this.written.extend(filter.says());
        }
        // Where the peer does not take it now, the next write tries again.
        let _ = this.poll_written(cx)?;
        let count = this.read.len().min(buffer.remaining());
        buffer.put_slice(&this.read[..count]);
        this.read.drain(..count);
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Bytes {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let this = &mut *self;
        ready!(this.poll_written(cx))?;
        let Some(filter) = &mut this.filter else {
            return Pin::new(&mut this.stream).poll_write(cx, bytes);
        };
        this.written = filter.goes(bytes.to_vec());
        // All of it is taken from the router.
        let _ = this.poll_written(cx)?;
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_written(cx))?;
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_written(cx))?;
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

/// Changes the heads of messages that come in, or that go out, and leaves all else as it is. It
/// counts lengths and chunks, so that it finds where the next head begins.
#[derive(Debug, Default)]
pub(crate) struct Heads {
    head: Vec<u8>,
    /// Bytes of a body until the next head.
    left: u64,
    chunked: Option<Vec<u8>>,
}

impl Heads {
    /// The bytes with each head changed. What is no whole head yet is kept back.
    pub(crate) fn pass(
        &mut self,
        bytes: &[u8],
        change: &mut dyn FnMut(Vec<u8>) -> Vec<u8>,
    ) -> Vec<u8> {
        let mut out = Vec::new();
        for &byte in bytes {
            if self.left > 0 {
                self.left -= 1;
                out.push(byte);
            } else if let Some(line) = &mut self.chunked {
                line.push(byte);
                out.push(byte);
                if byte == b'\n' {
                    self.chunk_line();
                }
            } else {
                self.head.push(byte);
                if self.head.ends_with(b"\r\n\r\n") || self.head.ends_with(b"\n\n") {
                    let head = std::mem::take(&mut self.head);
                    self.begin_body(&head);
                    out.extend(change(head));
                }
            }
        }
        out
    }

    /// What is kept back.
    pub(crate) fn rest(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.head)
    }

    fn begin_body(&mut self, head: &[u8]) {
        let text = String::from_utf8_lossy(head).to_ascii_lowercase();
        let is_bodyless = ["http/1.1 1", "http/1.1 204", "http/1.1 304"]
            .iter()
            .any(|start| text.starts_with(start));
        let field = |name: &str| {
            text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':')).map(str::trim)
        };
        if is_bodyless {
        } else if field("transfer-encoding").is_some() {
            self.chunked = Some(Vec::new());
        } else {
            let length = field("content-length").and_then(|length| length.parse().ok());
            self.left = length.unwrap_or_default();
        }
    }

    /// A line between chunks is whole: a size, the end of a chunk, or a trailer.
    fn chunk_line(&mut self) {
        let Some(line) = self.chunked.take() else { return };
        let text = String::from_utf8_lossy(&line);
        let digits = text.trim().split(';').next().unwrap_or_default().trim();
        match u64::from_str_radix(digits, 16) {
            Ok(0) => {
                // The line behind the last chunk ends the body, where there are no trailers.
                self.left = 2;
            }
            Ok(size) => {
                self.left = size + 2;
                self.chunked = Some(Vec::new());
            }
            Err(_) => self.chunked = Some(Vec::new()),
        }
    }
}

/// The lines of a head without their ends, the empty one last left out.
pub(crate) fn lines(head: &[u8]) -> Vec<Vec<u8>> {
    let lines = head.split(|&byte| byte == b'\n');
    let bare = lines.map(|line| line.strip_suffix(b"\r").unwrap_or(line).to_vec());
    bare.filter(|line| !line.is_empty()).collect()
}

/// A head of these lines.
pub(crate) fn head_of(lines: &[Vec<u8>]) -> Vec<u8> {
    let mut head = lines.join(&b"\r\n"[..]);
    head.extend(b"\r\n\r\n");
    head
}

/// The name of a field line in lower case, and its value without blanks around.
pub(crate) fn field(line: &[u8]) -> Option<(String, &[u8])> {
    let colon = line.iter().position(|&byte| byte == b':')?;
    let name = String::from_utf8_lossy(&line[..colon]).to_ascii_lowercase();
    Some((name, line[colon + 1..].trim_ascii()))
}

/// Changes the heads that come in.
pub(crate) struct Incoming(Heads, fn(Vec<u8>) -> Vec<u8>);

/// A filter of the heads that the peer sends.
pub(crate) fn incoming(change: fn(Vec<u8>) -> Vec<u8>) -> Box<dyn Filter> {
    Box::new(Incoming(Heads::default(), change))
}

impl Filter for Incoming {
    fn comes(&mut self, bytes: Vec<u8>) -> Vec<u8> {
        let change = self.1;
        self.0.pass(&bytes, &mut |head| change(head))
    }

    fn ends(&mut self) -> Vec<u8> {
        self.0.rest()
    }
}

/// Changes the heads that go out.
pub(crate) struct Outgoing(Heads, fn(Vec<u8>) -> Vec<u8>);

/// A filter of the heads that the router sends.
pub(crate) fn outgoing(change: fn(Vec<u8>) -> Vec<u8>) -> Box<dyn Filter> {
    Box::new(Outgoing(Heads::default(), change))
}

impl Filter for Outgoing {
    fn goes(&mut self, bytes: Vec<u8>) -> Vec<u8> {
        let change = self.1;
        self.0.pass(&bytes, &mut |head| change(head))
    }
}
