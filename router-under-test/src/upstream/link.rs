//! A connection to a cell.

use std::future::Future;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io;
use std::mem::MaybeUninit;
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use bytes::Bytes;
use http::{Response, StatusCode};
use socket2::SockRef;
use tokio::net::TcpStream;

use super::bulkhead::ConnectionPermit;
use crate::body::BodyError;
use crate::http1::{HeadError, Input, ResponseReader};
use crate::tcp::{IdleTimeout, Wait};

/// How long a cell may read nothing of a request that is being sent.
const READ_PAUSE: Duration = Duration::from_secs(60);

/// More responses ahead of the final one than this are an error of the cell.
const MOST_INTERIM: u32 = 64;

/// A connection to a cell, for one request at a time.
#[derive(Debug)]
pub(crate) struct Link {
    pub(super) stream: TcpStream,
    pub(super) input: Input,
    reader: ResponseReader,
    /// The time within which the cell has to read more of the request.
    pub(super) reads: IdleTimeout,
    /// The time within which it has to respond.
    pub(super) responds: Wait,
    interim: u32,
    /// Since when it has been kept; none for a new one.
    pub(super) idle_since: Option<Instant>,
    /// The path that it was used for last.
    pub(super) path: PathHash,
    _permit: ConnectionPermit,
}

/// A path, as far as it matters whether two are the same. It holds none of the user's bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct PathHash(u64);

impl PathHash {
    /// Of a path without its query, which is quickly varied.
    pub(super) fn of(path: &str) -> Self {
        let mut hasher = DefaultHasher::new();
        path.hash(&mut hasher);
        Self(hasher.finish())
    }
}

/// Why a connection to a cell is of no more use.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LinkError {
    /// Reading or writing failed.
    #[error(transparent)]
    Io(io::Error),
    /// It ended before the response was complete.
    #[error("it ended before the response was complete")]
    Ended,
    /// The cell sent bytes that nobody asked for.
    #[error("bytes that nobody asked for")]
    Unasked,
    /// The bytes are not HTTP.
    #[error(transparent)]
    Malformed(HeadError),
    /// The body of the request ended early.
    #[error(transparent)]
    Body(BodyError),
}

impl Link {
    /// A new connection.
    pub(super) fn new(stream: TcpStream, permit: ConnectionPermit) -> Self {
        Self {
            stream,
            input: Input::of_cell(),
            reader: ResponseReader::default(),
            reads: IdleTimeout::new(READ_PAUSE),
            responds: Wait::default(),
            interim: 0,
            idle_since: None,
            path: PathHash::default(),
            _permit: permit,
        }
    }

    /// Why a connection that is not in use can take no request, if it cannot (Z-17).
    ///
    /// What the event queue has told is as old as its last turn, and a cell's FIN may be here
    /// already. So the system itself is asked.
    pub(super) fn is_over(&self) -> Option<LinkError> {
        if !self.input.is_empty() {
            return Some(LinkError::Unasked);
        }
        let mut first = [MaybeUninit::uninit()];
        match SockRef::from(&self.stream).peek(&mut first) {
            Ok(0) => Some(LinkError::Ended),
            Ok(_) => Some(LinkError::Unasked),
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted
                ) =>
            {
                None
            }
            Err(error) => Some(LinkError::Io(error)),
        }
    }

    /// Speaks another protocol on it; its permit is kept until that is over.
    pub(crate) async fn over<F: Future>(
        self: Box<Self>,
        speak: impl FnOnce((TcpStream, Bytes)) -> F,
    ) -> F::Output {
        let Self { stream, mut input, _permit, .. } = *self;
        let read = input.bytes().split().freeze();
        speak((stream, read)).await
    }

    /// The head of the final response (RFC 9110 15.2: those before it are passed over).
    pub(super) fn poll_head(
        &mut self,
        cx: &mut Context<'_>,
    ) -> Poll<Result<Response<()>, LinkError>> {
        loop {
            if !self.input.is_empty()
                && let Some(length) =
                    self.reader.read(self.input.bytes()).map_err(LinkError::Malformed)?
            {
                let head = self.input.take(length);
                let response = self.reader.finish(&head).map_err(LinkError::Malformed)?;
                let status = response.status();
                if !status.is_informational() || status == StatusCode::SWITCHING_PROTOCOLS {
                    self.interim = 0;
                    return Poll::Ready(Ok(response));
                }
                self.interim += 1;
                if self.interim > MOST_INTERIM {
                    return Poll::Ready(Err(LinkError::Malformed(HeadError::TooLarge)));
                }
                continue;
            }
            if ready!(self.input.poll_fill(&mut self.stream, cx)).map_err(LinkError::Io)? == 0 {
                return Poll::Ready(Err(LinkError::Ended));
            }
        }
    }
}
