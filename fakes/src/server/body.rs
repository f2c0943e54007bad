//! The bodies of requests and responses, on their way into and out of the application.

use std::fmt;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use tokio::runtime::Handle;

use super::socket::Socket;

/// Bytes that are read of a body that the application does not read, so that the connection can be
/// used again. More than any scenario sends.
const DRAINED: u64 = 256 * 1024 * 1024;

/// The part of a request's body that the application did not read.
#[derive(Debug)]
pub(super) struct UnreadBody {
    body: Incoming,
    /// Whether the application began to read it.
    pub(super) touched: bool,
}

/// Where a request's body is put when the application drops it before its end.
pub(super) type UnreadBodySlot = Arc<Mutex<Option<UnreadBody>>>;

/// A request's body as the application reads it.
#[derive(Debug)]
pub(super) struct RequestBody {
    rest: Option<UnreadBody>,
    unread: UnreadBodySlot,
}

impl RequestBody {
    pub(super) fn new(body: Incoming) -> (Self, UnreadBodySlot) {
        let unread = UnreadBodySlot::default();
        (Self { rest: Some(UnreadBody { body, touched: false }), unread: unread.clone() }, unread)
    }
}

impl Body for RequestBody {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let Some(rest) = &mut self.rest else { return Poll::Ready(None) };
        rest.touched = true;
        Pin::new(&mut rest.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.rest.as_ref().is_none_or(|rest| rest.body.is_end_stream())
    }

    fn size_hint(&self) -> SizeHint {
        self.rest.as_ref().map_or_else(SizeHint::default, |rest| rest.body.size_hint())
    }
}

impl Drop for RequestBody {
    fn drop(&mut self) {
        if let Some(rest) = self.rest.take().filter(|rest| !rest.body.is_end_stream())
            && let Ok(mut unread) = self.unread.lock()
        {
            *unread = Some(rest);
        }
    }
}

/// Reads the rest of a request's body, once.
#[derive(Debug)]
struct Drain(Option<UnreadBody>);

impl Drain {
    fn begin(&mut self) {
        let (Some(mut rest), Ok(runtime)) = (self.0.take(), Handle::try_current()) else { return };
        runtime.spawn(async move {
            let mut read = 0;
            while let Some(Ok(frame)) = rest.body.frame().await {
                read += frame.data_ref().map_or(0, |data| data.len() as u64);
                if read > DRAINED {
                    break;
                }
            }
        });
    }
}

/// A response's body. The rest of the request is read when the server begins to send it, not
/// before: reading makes the server send `100 Continue`.
#[derive(Debug)]
pub(super) struct ResponseBody {
    pieces: Pieces,
    drain: Drain,
    /// The socket to tell what the server takes.
    followed: Option<Arc<Socket>>,
}

#[derive(Debug)]
enum Pieces {
    Whole(Full<Bytes>),
    /// Without a length, so that the server sends chunks.
    Chunks([Option<Bytes>; 2]),
    Streamed(axum::body::Body, OnFailure),
}

/// Called with the error when a streamed body fails.
pub(super) struct OnFailure(pub(super) Box<dyn FnMut(String) + Send>);

impl fmt::Debug for OnFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OnFailure")
    }
}

impl ResponseBody {
    /// A complete body.
    pub(super) fn new(bytes: Bytes, rest: Option<UnreadBody>) -> Self {
        Self { pieces: Pieces::Whole(Full::new(bytes)), drain: Drain(rest), followed: None }
    }

    /// A body in two chunks.
    pub(super) fn in_chunks(chunks: [Bytes; 2], rest: Option<UnreadBody>) -> Self {
        Self { pieces: Pieces::Chunks(chunks.map(Some)), drain: Drain(rest), followed: None }
    }

    /// A body that is generated while it is sent.
    pub(super) fn streamed(
        body: axum::body::Body,
        failed: OnFailure,
        rest: Option<UnreadBody>,
    ) -> Self {
        Self { pieces: Pieces::Streamed(body, failed), drain: Drain(rest), followed: None }
    }

    /// Tells the socket what the server takes of the body.
    pub(super) fn followed_by(mut self, socket: Arc<Socket>) -> Self {
        self.followed = Some(socket);
        self
    }
}

impl Pieces {
    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        match self {
            Self::Whole(bytes) => Pin::new(bytes).poll_frame(cx).map_err(|never| match never {}),
            Self::Chunks(chunks) => Poll::Ready(
                chunks.iter_mut().find_map(Option::take).map(|chunk| Ok(Frame::data(chunk))),
            ),
            Self::Streamed(body, failed) => {
                let polled = Pin::new(body).poll_frame(cx);
                if let Poll::Ready(Some(Err(error))) = &polled {
                    (failed.0)(error.to_string());
                }
                polled
            }
        }
    }
}

impl Body for ResponseBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        self.drain.begin();
        let polled = self.pieces.poll(cx);
        if let Some(socket) = &self.followed {
            match &polled {
                Poll::Ready(Some(Ok(frame))) => {
                    if let Some(piece) = frame.data_ref() {
                        socket.took(piece);
                    }
                    // The server does not poll again where it knows that nothing follows.
                    if self.is_end_stream() {
                        socket.complete();
                    }
                }
                Poll::Ready(None) => socket.complete(),
                Poll::Ready(Some(Err(_))) | Poll::Pending => {}
            }
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        match &self.pieces {
            Pieces::Whole(bytes) => bytes.is_end_stream(),
            Pieces::Chunks(chunks) => chunks.iter().all(Option::is_none),
            Pieces::Streamed(body, _) => body.is_end_stream(),
        }
    }

    fn size_hint(&self) -> SizeHint {
        match &self.pieces {
            Pieces::Whole(bytes) => bytes.size_hint(),
            Pieces::Chunks(_) => SizeHint::default(),
            Pieces::Streamed(body, _) => body.size_hint(),
        }
    }
}

impl Drop for ResponseBody {
    fn drop(&mut self) {
        self.drain.begin();
    }
}
