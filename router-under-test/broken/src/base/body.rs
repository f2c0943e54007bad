//! What a body is, and bodies that do not come from a connection.

use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::{Bytes, BytesMut};
use http_body::{Body as _, Frame, SizeHint};
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, Full};

/// Any error; its content is not used.
pub(crate) type BoxError = Box<dyn std::error::Error + Send + Sync>;
/// A body, from memory or from a connection.
pub(crate) type Body = UnsyncBoxBody<Bytes, BoxError>;

type Polled = Poll<Option<Result<Frame<Bytes>, BoxError>>>;

/// A body that is in memory.
pub(crate) fn full(bytes: impl Into<Bytes>) -> Body {
    Full::new(bytes.into()).map_err(|never| match never {}).boxed_unsync()
}

/// The same bytes without a known length, so that they are sent chunked.
pub(crate) fn unsized_body(mut body: Body) -> Body {
    polled(SizeHint::default(), move |context| Pin::new(&mut body).poll_frame(context))
}

/// A body whose frames `poll` gives; without an exact size it is sent chunked.
pub(crate) fn polled(
    size: SizeHint,
    poll: impl FnMut(&mut Context<'_>) -> Polled + Send + Unpin + 'static,
) -> Body {
    Frames { size, poll }.boxed_unsync()
}

struct Frames<F> {
    size: SizeHint,
    poll: F,
}

impl<F: FnMut(&mut Context<'_>) -> Polled + Unpin> http_body::Body for Frames<F> {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Polled {
        (self.poll)(context)
    }

    fn size_hint(&self) -> SizeHint {
        self.size
    }
}

/// All bytes up to the end or the truncation.
pub(crate) async fn what_came(mut body: Body) -> Bytes {
    let mut bytes = BytesMut::new();
    while let Some(Ok(frame)) = body.frame().await {
        bytes.extend_from_slice(frame.data_ref().unwrap_or(&Bytes::new()));
    }
    bytes.freeze()
}
