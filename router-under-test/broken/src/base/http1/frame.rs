//! Reads bodies: by length, in chunks, or until the connection ends.

use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};

use bytes::{Buf, Bytes, BytesMut};
use http_body::{Frame, SizeHint};
use tokio::io::{AsyncRead, ReadBuf};
use tokio::net::tcp::OwnedReadHalf;

use crate::base::body::BoxError;

/// The most bytes read from a connection at a time; it bounds the read-ahead (Z-25).
const BLOCK: usize = 16 * 1024;
/// The longest line between chunks.
const MAX_LINE: usize = 16 * 1024;
/// The most bytes of chunk extensions in one body (Z-93).
const MAX_EXTENSIONS: usize = 16 * 1024;

/// How a body ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Framing {
    None,
    Length(u64),
    Chunked,
    UntilClose,
}

/// The reading half of a connection, and the bytes read but not used.
#[derive(Debug)]
pub(crate) struct Reader {
    pub(crate) io: OwnedReadHalf,
    pub(crate) buffer: BytesMut,
}

impl Reader {
    pub(crate) fn new(io: OwnedReadHalf) -> Self {
        Self { io, buffer: BytesMut::new() }
    }

    /// Reads one more block; false at the end.
    pub(crate) async fn fill(&mut self) -> io::Result<bool> {
        std::future::poll_fn(|context| self.poll_fill(context)).await
    }

    pub(crate) fn poll_fill(&mut self, context: &mut Context<'_>) -> Poll<io::Result<bool>> {
        let mut block = [0; BLOCK];
        let mut block = ReadBuf::new(&mut block);
        ready!(Pin::new(&mut self.io).poll_read(context, &mut block))?;
        self.buffer.extend_from_slice(block.filled());
        Poll::Ready(Ok(!block.filled().is_empty()))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Done,
    Length(u64),
    Size,
    Chunk(u64),
    AfterChunk,
    Trailers,
    UntilClose,
}

/// How long what is not data may be in a chunked body, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Limits {
    pub(crate) line: usize,
    /// What is left for extensions.
    pub(crate) extensions: usize,
    /// For a mutation: after so many chunks, one that is refused is taken for the last.
    pub(crate) refused_is_last_after: Option<usize>,
}

impl Default for Limits {
    fn default() -> Self {
        Self { line: MAX_LINE, extensions: MAX_EXTENSIONS, refused_is_last_after: None }
    }
}

/// The rest of a body, and its source.
pub(crate) struct Source {
    /// `None` once the connection has been returned.
    pub(crate) reader: Option<Reader>,
    /// Only mutations change it.
    pub(crate) limits: Limits,
    state: State,
}

impl Source {
    pub(crate) fn new(reader: Reader, framing: Framing) -> Self {
        let state = match framing {
            Framing::None | Framing::Length(0) => State::Done,
            Framing::Length(length) => State::Length(length),
            Framing::Chunked => State::Size,
            Framing::UntilClose => State::UntilClose,
        };
        Self { reader: Some(reader), limits: Limits::default(), state }
    }

    pub(crate) fn is_done(&self) -> bool {
        self.state == State::Done
    }

    /// For a mutation: takes what has arrived of the body, and drops it.
    pub(crate) fn pass_over(&mut self) {
        let Some(reader) = &mut self.reader else { return };
        while let Ok(Some(_)) = step(&mut self.state, &mut reader.buffer, &mut self.limits) {}
    }

    fn poll_data(&mut self, context: &mut Context<'_>) -> Poll<Result<Option<Bytes>, BoxError>> {
        if self.is_done() {
            return Poll::Ready(Ok(None));
        }
        // A body does not end properly with a connection that was taken away.
        let Some(reader) = &mut self.reader else {
            return Poll::Ready(Err("the body was given up".into()));
        };
        loop {
            if let Some(data) = step(&mut self.state, &mut reader.buffer, &mut self.limits)? {
                return Poll::Ready(Ok(Some(data)));
            }
            if self.state == State::Done {
                return Poll::Ready(Ok(None));
            }
            if !ready!(reader.poll_fill(context))? {
                if self.state == State::UntilClose {
                    self.state = State::Done;
                    return Poll::Ready(Ok(None));
                }
                return Poll::Ready(Err("the body broke off".into()));
            }
        }
    }
}

/// Takes bytes of the body from the buffer; none if more must arrive or the end is reached.
fn step(
    state: &mut State,
    buffer: &mut BytesMut,
    limits: &mut Limits,
) -> Result<Option<Bytes>, BoxError> {
    loop {
        match *state {
            State::Done => return Ok(None),
            State::UntilClose if buffer.is_empty() => return Ok(None),
            State::UntilClose => return Ok(Some(buffer.split().freeze())),
            State::Length(left) | State::Chunk(left) => {
                if buffer.is_empty() {
                    return Ok(None);
                }
                let size = usize::try_from(left).unwrap_or(usize::MAX).min(buffer.len());
                let left = left - size as u64;
                *state = match (*state, left) {
                    (State::Length(_), 0) => State::Done,
                    (State::Length(_), left) => State::Length(left),
                    (_, 0) => State::AfterChunk,
                    (_, left) => State::Chunk(left),
                };
                return Ok(Some(buffer.split_to(size).freeze()));
            }
            State::Size | State::AfterChunk | State::Trailers => {
                let Some(line) = line(buffer, limits.line)? else { return Ok(None) };
                *state = match *state {
                    State::Size => {
                        let Some((size, extensions)) = size(&line) else {
                            if limits.refused_is_last_after == Some(0) {
                                *state = State::Trailers;
                            }
                            return Err("no size of a chunk".into());
                        };
                        limits.refused_is_last_after =
                            limits.refused_is_last_after.map(|left| left.saturating_sub(1));
                        limits.extensions = limits
                            .extensions
                            .checked_sub(extensions)
                            .ok_or("the chunk extensions are too long")?;
                        if size == 0 { State::Trailers } else { State::Chunk(size) }
                    }
                    State::AfterChunk if line.is_empty() => State::Size,
                    State::AfterChunk => return Err("a chunk is longer than its size".into()),
                    // Trailers end here (RFC 9112 7.1.2).
                    _ if line.is_empty() => State::Done,
                    _ => State::Trailers,
                };
            }
        }
    }
}

/// The next line without its end.
fn line(buffer: &mut BytesMut, longest: usize) -> Result<Option<Bytes>, BoxError> {
    let Some(at) = buffer.iter().position(|byte| *byte == b'\n') else {
        return if buffer.len() > longest { Err("an endless line".into()) } else { Ok(None) };
    };
    let line = buffer.split_to(at).freeze();
    buffer.advance(1);
    match line.strip_suffix(b"\r") {
        Some(text) if !text.contains(&b'\r') => Ok(Some(line.slice(..at - 1))),
        _ => Err("a line with a wrong end".into()),
    }
}

/// The hexadecimal number before extensions, and the length of these.
fn size(line: &[u8]) -> Option<(u64, usize)> {
    let digits = line.split(|byte| *byte == b';').next()?;
    let extensions = line.len() - digits.len();
    let digits = digits.trim_ascii_end();
    let text = std::str::from_utf8(digits)
        .ok()
        .filter(|text| text.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
    Some((u64::from_str_radix(text, 16).ok()?, extensions))
}

type Call = Box<dyn FnOnce(&mut Source) + Send>;

/// A body that is read from a connection on demand: nothing is read ahead (Z-25).
pub(crate) struct Incoming {
    source: Arc<Mutex<Source>>,
    at_start: Option<Call>,
    at_end: Option<Call>,
}

impl Incoming {
    /// `at_start` is called before the first byte is read, `at_end` once the end was reached.
    pub(crate) fn new(
        source: Arc<Mutex<Source>>,
        at_start: Option<Call>,
        at_end: Option<Call>,
    ) -> Self {
        let mut body = Self { source, at_start, at_end };
        body.end_if_done();
        body
    }

    fn end_if_done(&mut self) {
        let mut source = self.source.lock().unwrap_or_else(PoisonError::into_inner);
        if source.is_done()
            && let Some(call) = self.at_end.take()
        {
            call(&mut source);
        }
    }
}

impl http_body::Body for Incoming {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        let this = &mut *self;
        let data = {
            let mut source = this.source.lock().unwrap_or_else(PoisonError::into_inner);
            if !source.is_done()
                && let Some(call) = this.at_start.take()
            {
                call(&mut source);
            }
            ready!(source.poll_data(context))
        };
        this.end_if_done();
        Poll::Ready(data.transpose().map(|data| data.map(Frame::data)))
    }

    fn is_end_stream(&self) -> bool {
        self.source.lock().unwrap_or_else(PoisonError::into_inner).is_done()
    }

    fn size_hint(&self) -> SizeHint {
        match self.source.lock().unwrap_or_else(PoisonError::into_inner).state {
            State::Done => SizeHint::with_exact(0),
            State::Length(left) => SizeHint::with_exact(left),
            _ => SizeHint::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(text: &[u8]) -> Result<(Vec<u8>, bool), BoxError> {
        let (mut state, mut buffer) = (State::Size, BytesMut::from(text));
        let mut body = Vec::new();
        let mut limits = Limits::default();
        while let Some(data) = step(&mut state, &mut buffer, &mut limits)? {
            body.extend_from_slice(&data);
        }
        Ok((body, state == State::Done))
    }

    #[test]
    fn chunks_are_read_and_invalid_ones_refused() {
        assert_eq!(
            read(b"3\r\nabc\r\nA;x=y\r\n0123456789\r\n0\r\nT: 1\r\n\r\n").unwrap(),
            (b"abc0123456789".to_vec(), true)
        );
        assert_eq!(read(b"3\r\nabc\r\n0\r\n").unwrap(), (b"abc".to_vec(), false));
        for bad in [
            &b"3\nabc\r\n"[..],
            b"+3\r\nabc",
            b"x\r\n",
            b"\r\n",
            b"3\r\nabcd\r\n",
            b"11111111111111111\r\n",
        ] {
            assert!(read(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn extensions_are_limited_in_one_line_and_in_the_whole_body() {
        let chunk = format!("1;{:x<100}\r\nx\r\n", "");
        let few = chunk.repeat(100) + "0\r\n\r\n";
        assert_eq!(read(few.as_bytes()).unwrap(), (vec![b'x'; 100], true));
        assert!(read(chunk.repeat(200).as_bytes()).is_err());
        assert!(read(format!("1;{:x<20000}", "").as_bytes()).is_err());
    }

    proptest! {
        #[test]
        fn written_chunks_are_read_back(
            parts in proptest::collection::vec("[a-z\r\n]{1,9}", 0..5),
        ) {
            let chunk = |part: &String| format!("{:x}\r\n{part}\r\n", part.len());
            let mut text: String = parts.iter().map(chunk).collect();
            text.push_str("0\r\n\r\n");
            prop_assert_eq!(read(text.as_bytes()).unwrap(), (parts.concat().into_bytes(), true));
        }
    }
}
