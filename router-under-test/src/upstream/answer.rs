//! The body of a cell's answer, which holds its connection until it has been read.

use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use http_body_util::BodyExt as _;
use hyper::body::Incoming;

use super::Sender;
use super::pool::Pool;
use crate::config::CellIndex;

/// An answer that nobody wants is read up to this many bytes so that its connection can be used again.
const WORTH_READING: u64 = 64 * 1024;
/// And no longer than this.
const WORTH_WAITING: Duration = Duration::from_millis(500);

/// A body on its way from a cell. An error in it means that the answer was cut short (Z-41).
#[derive(Debug)]
pub(crate) struct CellBody {
    body: Incoming,
    /// Its end gives the connection back.
    _lease: Lease,
}

#[derive(Debug)]
struct Lease {
    sender: Option<Sender>,
    pool: Rc<Pool>,
    cell: CellIndex,
}

impl CellBody {
    pub(super) fn new(body: Incoming, sender: Sender, pool: Rc<Pool>, cell: CellIndex) -> Self {
        Self { body, _lease: Lease { sender: Some(sender), pool, cell } }
    }

    /// Reads the rest of an answer that nobody wants, aside and within bounds.
    pub(crate) fn discard(self) {
        let little = self.body.size_hint().upper().is_none_or(|upper| upper <= WORTH_READING);
        if self.body.is_end_stream() || !little {
            return;
        }
        tokio::task::spawn_local(tokio::time::timeout(WORTH_WAITING, async move {
            let mut body = http_body_util::Limited::new(self, WORTH_READING as usize);
            while let Some(Ok(_)) = body.frame().await {}
        }));
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        // Where the body was not read to its end, the connection closes itself and is never taken.
        if let Some(sender) = self.sender.take() {
            self.pool.put(self.cell, sender);
        }
    }
}

impl Body for CellBody {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
