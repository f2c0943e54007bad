//! What must be wrong in bytes: a filter around a connection of a user, or to a cell.

use std::collections::VecDeque;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use reference_router::stream::Stream;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

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
}

/// A connection, with a filter or none.
pub(crate) struct Connection {
    stream: Stream,
    filter: Option<Box<dyn Filter>>,
    /// Read and filtered; the router has yet to take it.
    read: Vec<u8>,
    /// Filtered; the peer has yet to take it.
    written: Vec<u8>,
    has_ended: bool,
}

impl Connection {
    pub(crate) fn new(stream: Stream, filter: Option<Box<dyn Filter>>) -> Self {
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

impl AsyncRead for Connection {
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
        }
        let count = this.read.len().min(buffer.remaining());
        buffer.put_slice(&this.read[..count]);
        this.read.drain(..count);
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Connection {
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

/// Longer heads are not looked at.
const LONGEST_HEAD: usize = 256 * 1024;
/// Longer chunk extensions are not left out.
const LONGEST_EXTENSION: usize = 16 * 1024;

/// Finds the heads of messages in both directions of a connection, by lengths and chunks. What
/// follows a change of protocol, or is no HTTP, is passed on as it is.
#[derive(Debug, Default)]
pub(crate) struct Scanner {
    comes: Direction,
    goes: Direction,
    asked: Asked,
}

impl Scanner {
    /// Bytes that come, with each head changed. What is no whole head yet is kept back.
    pub(crate) fn comes(
        &mut self,
        bytes: &[u8],
        change: impl FnMut(Vec<u8>) -> Vec<u8>,
    ) -> Vec<u8> {
        // Nobody asked for it.
        self.asked.is_lost |= self.goes.has_requests && !self.is_asked() && self.is_between();
        self.comes.pass(bytes, &mut self.asked, change)
    }

    /// Bytes that go out, in the same way.
    pub(crate) fn goes(&mut self, bytes: &[u8], change: impl FnMut(Vec<u8>) -> Vec<u8>) -> Vec<u8> {
        self.goes.pass(bytes, &mut self.asked, change)
    }

    /// What came, and was kept back.
    fn rest(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.comes.head)
    }

    /// A scanner that leaves out the extensions of chunks that come, up to a length.
    pub(crate) fn without_extensions() -> Self {
        let comes = Direction { cuts_extensions: true, ..Direction::default() };
        Self { comes, ..Self::default() }
    }

    /// Whether all messages that came have come as a whole.
    pub(crate) fn is_between(&self) -> bool {
        let Direction { head, left, chunked, .. } = &self.comes;
        head.is_empty() && *left == 0 && chunked.is_none() && !self.asked.is_lost
    }

    /// Whether all messages that went out have gone as a whole.
    pub(crate) fn has_gone(&self) -> bool {
        self.goes.head.is_empty() && self.goes.left == 0 && self.goes.chunked.is_none()
    }

    /// Whether the next response is one to a `HEAD`.
    pub(crate) fn asks_for_a_head(&self) -> bool {
        self.asked.heads.front() == Some(&true)
    }

    /// Whether a request waits for its response.
    pub(crate) fn is_asked(&self) -> bool {
        !self.asked.heads.is_empty()
    }
}

/// What the one direction tells about the other.
#[derive(Debug, Default)]
struct Asked {
    /// For each request without a response, whether it is a `HEAD`.
    heads: VecDeque<bool>,
    /// From here on there are no heads to find.
    is_lost: bool,
}

#[derive(Debug, Default)]
struct Direction {
    head: Vec<u8>,
    /// Bytes of a body until the next head, or line between chunks.
    left: u64,
    /// The line between chunks, while there are chunks.
    chunked: Option<Vec<u8>>,
    /// The last chunk came, and trailers may follow.
    is_last: bool,
    cuts_extensions: bool,
    has_requests: bool,
}

impl Direction {
    fn pass(
        &mut self,
        bytes: &[u8],
        asked: &mut Asked,
        mut change: impl FnMut(Vec<u8>) -> Vec<u8>,
    ) -> Vec<u8> {
        let mut out = Vec::new();
        for &byte in bytes {
            if asked.is_lost {
                out.append(&mut self.head);
                out.push(byte);
            } else if self.left > 0 {
                self.left -= 1;
                out.push(byte);
            } else if let Some(line) = &mut self.chunked {
                line.push(byte);
                let is_cut = self.cuts_extensions && is_extension(line);
                out.extend((!is_cut).then_some(byte));
                if byte == b'\n' {
                    self.chunk_line();
                }
            } else {
                self.head.push(byte);
                asked.is_lost = is_no_head(&self.head);
                if self.head.ends_with(b"\n\r\n") || self.head.ends_with(b"\n\n") {
                    let head = std::mem::take(&mut self.head);
                    // Empty lines may come before a head (RFC 9112 2.2).
                    if head.trim_ascii().is_empty() {
                        out.extend(head);
                    } else {
                        self.begin_body(&head, asked);
                        out.extend(change(head));
                    }
                }
            }
        }
        if asked.is_lost {
            out.append(&mut self.head);
        }
        out
    }

    fn begin_body(&mut self, head: &[u8], asked: &mut Asked) {
        let text = String::from_utf8_lossy(head).trim_start().to_ascii_lowercase();
        let field = |name: &str| {
            text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':')).map(str::trim)
        };
        let status = text.strip_prefix("http/").and_then(|rest| rest.split(' ').nth(1));
        let answers_head = match status {
            None => {
                self.has_requests = true;
                asked.heads.push_back(text.starts_with("head "));
                false
            }
            Some("101") => {
                asked.is_lost = true;
                return;
            }
            Some(status) if status.starts_with('1') => true,
            Some(status) => {
                asked.heads.pop_front().unwrap_or_default() || ["204", "304"].contains(&status)
            }
        };
        let length = field("content-length").map(|length| length.parse().unwrap_or_default());
        if answers_head {
        } else if field("transfer-encoding").is_some() {
            self.chunked = Some(Vec::new());
        } else {
            // A response without a length ends with the connection.
            self.left = length.unwrap_or(if status.is_some() { u64::MAX } else { 0 });
        }
    }

    /// A line between chunks is whole: a size, the end of a chunk, or a trailer.
    fn chunk_line(&mut self) {
        let line = self.chunked.replace(Vec::new()).unwrap_or_default();
        let text = String::from_utf8_lossy(&line);
        if self.is_last {
            if text.trim().is_empty() {
                (self.chunked, self.is_last) = (None, false);
            }
            return;
        }
        let digits = text.trim().split(';').next().unwrap_or_default().trim();
        match u64::from_str_radix(digits, 16) {
            Ok(0) => self.is_last = true,
            Ok(size) => self.left = size,
            Err(_) => {}
        }
    }
}

/// Whether no head begins like this: a line ends in a CR alone, or there is no end.
fn is_no_head(head: &[u8]) -> bool {
    head.len() > LONGEST_HEAD
        || head
            .split_last_chunk()
            .is_some_and(|(_, [before, last])| *before == b'\r' && *last != b'\n')
}

/// Whether the last byte of a line between chunks is one of an extension.
fn is_extension(line: &[u8]) -> bool {
    line.contains(&b';')
        && line.len() <= LONGEST_EXTENSION
        && !line.ends_with(b"\r\n")
        && !line.ends_with(b"\r")
}

/// The lines of a head without their ends, the empty one last left out.
pub(crate) fn lines(head: &[u8]) -> Vec<Vec<u8>> {
    let lines = head.split(|&byte| byte == b'\n');
    let bare = lines.map(|line| line.strip_suffix(b"\r").unwrap_or(line).to_vec());
    bare.filter(|line| !line.is_empty()).collect()
}

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

/// A change of each head that comes, or of each that goes out.
pub(crate) type Change = fn(Vec<u8>) -> Vec<u8>;

/// A filter of heads, which changes none by default.
pub(crate) struct Heads {
    pub(crate) scanner: Scanner,
    pub(crate) coming: Change,
    pub(crate) going: Change,
    /// Changes what came of a head that did not come as a whole.
    pub(crate) ending: Change,
}

impl Default for Heads {
    fn default() -> Self {
        let same: Change = |head| head;
        Self { scanner: Scanner::default(), coming: same, going: same, ending: same }
    }
}

/// A filter of the heads that the peer sends.
pub(crate) fn incoming(coming: Change) -> Box<dyn Filter> {
    Box::new(Heads { coming, ..Heads::default() })
}

/// A filter of the heads that the router sends.
pub(crate) fn outgoing(going: Change) -> Box<dyn Filter> {
    Box::new(Heads { going, ..Heads::default() })
}

impl Filter for Heads {
    fn comes(&mut self, bytes: Vec<u8>) -> Vec<u8> {
        self.scanner.comes(&bytes, self.coming)
    }

    fn ends(&mut self) -> Vec<u8> {
        (self.ending)(self.scanner.rest())
    }

    fn goes(&mut self, bytes: Vec<u8>) -> Vec<u8> {
        self.scanner.goes(&bytes, self.going)
    }
}

/// The head without the fields for which this does not hold.
pub(crate) fn keep(head: &[u8], mut holds: impl FnMut(&str, &[u8]) -> bool) -> Vec<u8> {
    let mut lines = lines(head);
    lines.retain(|line| field(line).is_none_or(|(name, value)| holds(&name, value)));
    head_of(&lines)
}

/// The head with the values of this field changed.
pub(crate) fn change(head: &[u8], name: &str, new: impl Fn(&str) -> String) -> Vec<u8> {
    let changed = |line: Vec<u8>| match field(&line) {
        Some((found, value)) if found == name => {
            format!("{name}: {}", new(&String::from_utf8_lossy(value))).into_bytes()
        }
        _ => line,
    };
    head_of(&lines(head).into_iter().map(changed).collect::<Vec<_>>())
}
