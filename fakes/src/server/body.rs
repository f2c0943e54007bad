//! Bodies on their way in and out of the application.

use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use tokio::runtime::Handle;

/// Of a body that the application did not want, how many bytes are read all the same, so that the
/// connection can be used again. Above any body that a scenario sends.
const DRAINED: u64 = 256 * 1024 * 1024;

/// What the application left of a request's body.
#[derive(Debug)]
pub(super) struct Left {
    body: Incoming,
    /// Whether the application looked at it at all.
    pub(super) touched: bool,
}

/// Where the rest of a request's body is left when the application lets go of it.
pub(super) type Leavings = Arc<Mutex<Option<Left>>>;

/// A request's body as the application reads it.
#[derive(Debug)]
pub(super) struct RequestBody {
    left: Option<Left>,
    leavings: Leavings,
}

impl RequestBody {
    pub(super) fn new(body: Incoming) -> (Self, Leavings) {
        let leavings = Leavings::default();
        (Self { left: Some(Left { body, touched: false }), leavings: leavings.clone() }, leavings)
    }
}

impl Body for RequestBody {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let Some(left) = &mut self.left else { return Poll::Ready(None) };
        left.touched = true;
        Pin::new(&mut left.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.left.as_ref().is_none_or(|left| left.body.is_end_stream())
    }

    fn size_hint(&self) -> SizeHint {
        self.left.as_ref().map_or_else(SizeHint::default, |left| left.body.size_hint())
    }
}

impl Drop for RequestBody {
    fn drop(&mut self) {
        if let Some(left) = self.left.take().filter(|left| !left.body.is_end_stream())
            && let Ok(mut leavings) = self.leavings.lock()
        {
            *leavings = Some(left);
        }
    }
}

/// Reads what is left of a request's body, once.
#[derive(Debug)]
struct Drain(Option<Left>);

impl Drain {
    fn begin(&mut self) {
        let (Some(mut left), Ok(runtime)) = (self.0.take(), Handle::try_current()) else { return };
        runtime.spawn(async move {
            let mut read = 0;
            while let Some(Ok(frame)) = left.body.frame().await {
                read += frame.data_ref().map_or(0, |data| data.len() as u64);
                if read > DRAINED {
                    break;
                }
            }
        });
    }
}

/// An answer's body, whole. Once the server begins to send it, the rest of the request is read: not
/// before, since reading is what asks a sender that waits with `100 Continue` for more.
#[derive(Debug)]
pub(super) struct AnswerBody {
    bytes: Full<Bytes>,
    drain: Drain,
}

impl AnswerBody {
    pub(super) fn new(bytes: Bytes, left: Option<Left>) -> Self {
        Self { bytes: Full::new(bytes), drain: Drain(left) }
    }
}

impl Body for AnswerBody {
    type Data = Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        self.drain.begin();
        Pin::new(&mut self.bytes).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.bytes.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.bytes.size_hint()
    }
}

impl Drop for AnswerBody {
    fn drop(&mut self) {
        self.drain.begin();
    }
}
