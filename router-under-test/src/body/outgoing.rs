//! The body of one request to a cell.

use std::io;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};

use super::spool::SpoolReader;
use crate::user::{BrokenBody, RequestBody};

/// The body of one request to a cell.
#[derive(Debug)]
pub(crate) struct Outgoing {
    /// The part that the router has; sent first.
    kept: Source,
    /// The part that the user still sends; sent after that.
    rest: Option<RequestBody>,
}

/// What the router has of a body.
#[derive(Debug)]
pub(super) enum Source {
    Nothing,
    /// Pieces, and the index of the next one.
    Memory(Rc<[Bytes]>, usize),
    Spooled(SpoolReader),
}

impl Source {
    /// How many bytes are left.
    pub(super) fn length(&self) -> u64 {
        match self {
            Self::Nothing => 0,
            Self::Memory(blocks, next) => {
                blocks.iter().skip(*next).map(|block| block.len() as u64).sum()
            }
            Self::Spooled(reader) => reader.left(),
        }
    }
}

/// Why a body ended early.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BodyError {
    /// The user did not send all of it.
    #[error("user's body ended early: {0}")]
    User(#[source] BrokenBody),
    /// The temporary file could not be read.
    #[error("spooled body cannot be read: {0}")]
    Spool(#[source] io::Error),
}

impl Outgoing {
    /// No body.
    pub(crate) fn empty() -> Self {
        Self::new(Source::Nothing, None)
    }

    /// A body that is passed on as the user sends it (LN-12).
    pub(crate) fn streamed(rest: RequestBody) -> Self {
        let rest = Some(rest).filter(|rest| !rest.is_end_stream());
        Self::new(Source::Nothing, rest)
    }

    pub(super) fn new(kept: Source, rest: Option<RequestBody>) -> Self {
        Self { kept, rest }
    }

    fn poll_kept(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes, BodyError>>> {
        match &mut self.kept {
            Source::Nothing => Poll::Ready(None),
            Source::Memory(blocks, next) => {
                let block = blocks.get(*next).cloned();
                *next += 1;
                if *next >= blocks.len() {
                    self.kept = Source::Nothing;
                }
                Poll::Ready(block.map(Ok))
            }
            Source::Spooled(reader) => {
                let chunk = ready!(reader.poll_chunk(cx));
                if reader.left() == 0 {
                    self.kept = Source::Nothing;
                }
                Poll::Ready(chunk.map(|chunk| chunk.map_err(BodyError::Spool)))
            }
        }
    }
}

impl Body for Outgoing {
    type Data = Bytes;
    type Error = BodyError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BodyError>>> {
        if let Some(chunk) = ready!(self.poll_kept(cx)) {
            return Poll::Ready(Some(chunk.map(Frame::data)));
        }
        let Some(rest) = &mut self.rest else { return Poll::Ready(None) };
        let frame = ready!(Pin::new(&mut *rest).poll_frame(cx));
        if frame.is_none() {
            self.rest = None;
        }
        Poll::Ready(frame.map(|frame| frame.map_err(BodyError::User)))
    }

    fn is_end_stream(&self) -> bool {
        matches!(self.kept, Source::Nothing) && self.rest.as_ref().is_none_or(Body::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        let kept = self.kept.length();
        let Some(rest) = &self.rest else {
            return SizeHint::with_exact(kept);
        };
        match rest.size_hint().exact() {
            Some(rest) => SizeHint::with_exact(kept.saturating_add(rest)),
            None => SizeHint::new(),
        }
    }
}
