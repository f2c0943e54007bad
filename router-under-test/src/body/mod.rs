//! The bodies of requests on their way to a cell: kept, or streamed from the user.

mod buffer;
mod progress;
mod room;
mod spool;

use std::fmt;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use hyper::body::Incoming;

pub(crate) use buffer::{CollectError, Collected, Kept, collect};
pub(crate) use progress::Progress;
pub(crate) use room::{Budget, Room};
use spool::SpoolReader;

/// The body of one request to a cell.
#[derive(Debug)]
pub(crate) struct Outgoing {
    /// The part that the router has; sent first.
    kept: Source,
    /// The part that the user still sends; sent after that.
    rest: Option<Incoming>,
    /// Notified when the last byte was handed over.
    progress: Progress,
}

#[derive(Debug)]
enum Source {
    Nothing,
    Memory(Bytes),
    Spooled(SpoolReader),
}

/// Why a body ended early.
#[derive(Debug)]
pub(crate) enum BodyError {
    /// The user did not send all of it.
    User(hyper::Error),
    /// The temporary file could not be read.
    Spool(io::Error),
}

impl Outgoing {
    /// No body.
    pub(crate) fn empty() -> Self {
        Self::new(Source::Nothing, None)
    }

    /// A body that is passed on as the user sends it (LN-12).
    pub(crate) fn streamed(rest: Incoming) -> Self {
        let rest = Some(rest).filter(|rest| !rest.is_end_stream());
        Self::new(Source::Nothing, rest)
    }

    /// Tells when the last byte of the body was handed over to the connection.
    pub(crate) fn progress(&self) -> Progress {
        self.progress.clone()
    }

    fn new(kept: Source, rest: Option<Incoming>) -> Self {
        let whole = matches!(kept, Source::Nothing | Source::Memory(_)) && rest.is_none();
        let progress = if whole { Progress::done() } else { Progress::pending() };
        Self { kept, rest, progress }
    }

    fn poll_kept(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes, BodyError>>> {
        match &mut self.kept {
            Source::Nothing => Poll::Ready(None),
            Source::Memory(bytes) => {
                let bytes = std::mem::take(bytes);
                self.kept = Source::Nothing;
                Poll::Ready(Some(Ok(bytes)))
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
            if self.is_end_stream() {
                self.progress.finish();
            }
            return Poll::Ready(Some(chunk.map(Frame::data)));
        }
        let Some(rest) = &mut self.rest else {
            self.progress.finish();
            return Poll::Ready(None);
        };
        let frame = ready!(Pin::new(&mut *rest).poll_frame(cx));
        match frame {
            // Trailers are discarded (RFC 9112 7.1.2); nothing follows them.
            Some(Ok(frame)) if frame.is_data() => {
                if rest.is_end_stream() {
                    self.progress.finish();
                }
                Poll::Ready(Some(Ok(frame)))
            }
            Some(Err(error)) => Poll::Ready(Some(Err(BodyError::User(error)))),
            Some(Ok(_)) | None => {
                self.progress.finish();
                self.rest = None;
                Poll::Ready(None)
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        matches!(self.kept, Source::Nothing) && self.rest.as_ref().is_none_or(Body::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        let kept = match &self.kept {
            Source::Nothing => 0,
            Source::Memory(bytes) => bytes.len() as u64,
            Source::Spooled(reader) => reader.left(),
        };
        let Some(rest) = &self.rest else {
            return SizeHint::with_exact(kept);
        };
        match rest.size_hint().exact() {
            Some(rest) => SizeHint::with_exact(kept.saturating_add(rest)),
            None => SizeHint::new(),
        }
    }
}

impl Drop for Outgoing {
    fn drop(&mut self) {
        // A connection that has written as much as was announced does not ask for the end.
        self.progress.finish();
    }
}

impl fmt::Display for BodyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::User(error) => write!(f, "user's body ended early: {error}"),
            Self::Spool(error) => write!(f, "spooled body cannot be read: {error}"),
        }
    }
}

impl std::error::Error for BodyError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::User(error) => Some(error),
            Self::Spool(error) => Some(error),
        }
    }
}
