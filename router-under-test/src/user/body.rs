//! The body of a user's request, read as it is asked for.

use std::io;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};

use super::User;
use crate::http1::HeadError;

/// The body of a user's request. The user is asked to send it (RFC 9110 10.1.1) when it is read for
/// the first time. Trailers are discarded.
#[derive(Debug)]
pub(crate) struct RequestBody(Rc<User>);

/// Why a body is not complete.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BrokenBody {
    /// The connection broke, or the user was too slow.
    #[error(transparent)]
    Io(io::Error),
    /// The user sent no more.
    #[error("the connection ended within it")]
    Ended,
    /// The chunks are malformed.
    #[error(transparent)]
    Malformed(HeadError),
}

impl RequestBody {
    /// The body of the user's last request.
    pub(super) fn new(user: Rc<User>) -> Self {
        Self(user)
    }
}

impl Body for RequestBody {
    type Data = Bytes;
    type Error = BrokenBody;

    fn poll_frame(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BrokenBody>>> {
        self.0.0.borrow_mut().poll_body(cx).map_ok(Frame::data)
    }

    fn is_end_stream(&self) -> bool {
        self.0.0.borrow().body.is_over()
    }

    fn size_hint(&self) -> SizeHint {
        self.0.0.borrow().body.left().map_or_else(SizeHint::new, SizeHint::with_exact)
    }
}
