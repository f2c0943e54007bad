//! The body of a cell's response, which holds its connection until it has been read.

use std::future::poll_fn;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use http_body_util::BodyExt as _;
use hyper::body::Incoming;

use super::Link;
use super::bulkhead::Place;
use super::pool::Pool;

/// An unwanted response is read up to this many bytes, so that its connection can be reused.
const WORTH_READING: u64 = 64 * 1024;
/// And for at most this long.
const WORTH_WAITING: Duration = Duration::from_millis(500);

/// A body on its way from a cell. An error in it means that the response was cut short (Z-41).
#[derive(Debug)]
pub(crate) struct CellBody {
    body: Incoming,
    /// Bytes read before the user asked for them.
    first: Option<Bytes>,
    /// The body is complete.
    over: bool,
    /// Its end gives the connection back.
    lease: Lease,
}

#[derive(Debug)]
struct Lease {
    link: Option<Link>,
    /// None where the connection ends behind this body.
    pool: Option<Rc<Pool>>,
    place: Place,
}

impl CellBody {
    /// A body that comes over `link`, which goes back to `pool` behind it.
    pub(super) fn new(
        body: Incoming,
        link: Option<Link>,
        pool: Option<Rc<Pool>>,
        place: Place,
    ) -> Self {
        Self { body, first: None, over: false, lease: Lease { link, pool, place } }
    }

    /// Looks at what has arrived with the head, without waiting; an error where the body is broken
    /// already.
    pub(super) async fn look(&mut self) -> hyper::Result<()> {
        if self.body.is_end_stream() {
            return Ok(());
        }
        let now = poll_fn(|cx| Poll::Ready(Pin::new(&mut self.body).poll_frame(cx))).await;
        match now {
            // Trailers are discarded.
            Poll::Ready(Some(frame)) => self.first = frame?.into_data().ok(),
            Poll::Ready(None) => self.over = true,
            Poll::Pending => {}
        }
        Ok(())
    }

    /// Reads the rest of a response that nobody wants, aside and within bounds.
    pub(crate) fn discard(self) {
        let little = self.size_hint().upper().is_none_or(|upper| upper <= WORTH_READING);
        if self.is_end_stream() || !little {
            return;
        }
        tokio::task::spawn_local(tokio::time::timeout(WORTH_WAITING, async move {
            let mut body = http_body_util::Limited::new(self, WORTH_READING as usize);
            while let Some(Ok(_)) = body.frame().await {}
        }));
    }
}

impl Drop for CellBody {
    fn drop(&mut self) {
        // Where the body was not read to its end, the connection closes itself.
        if (self.over || self.body.is_end_stream())
            && let (Some(link), Some(pool)) = (self.lease.link.take(), &self.lease.pool)
        {
            pool.put(self.lease.place.cell(), link);
        }
    }
}

impl Body for CellBody {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        if let Some(first) = self.first.take() {
            return Poll::Ready(Some(Ok(Frame::data(first))));
        }
        let frame = ready!(Pin::new(&mut self.body).poll_frame(cx));
        self.over = frame.is_none();
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.first.is_none() && (self.over || self.body.is_end_stream())
    }

    fn size_hint(&self) -> SizeHint {
        let ahead = self.first.as_ref().map_or(0, Bytes::len) as u64;
        match self.body.size_hint().exact() {
            Some(rest) => SizeHint::with_exact(ahead.saturating_add(rest)),
            None => SizeHint::new(),
        }
    }
}
