//! The connection as the server sees it, with every incoming byte shown to the ledger.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::ledger::Ledger;

/// A connection whose incoming bytes are followed. Dropping it closes the ledger.
#[derive(Debug)]
pub(super) struct Tap<S> {
    stream: S,
    ledger: Arc<Ledger>,
    /// Counts arrivals, so that a stop can tell when nothing more is on its way.
    activity: Arc<AtomicU64>,
}

impl<S> Tap<S> {
    pub(super) fn new(stream: S, ledger: Arc<Ledger>, activity: Arc<AtomicU64>) -> Self {
        Self { stream, ledger, activity }
    }
}

impl<S> Drop for Tap<S> {
    fn drop(&mut self) {
        self.ledger.closed();
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Tap<S> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let room = buffer.remaining();
        let read = ready!(Pin::new(&mut self.stream).poll_read(cx, buffer));
        let arrived = &buffer.filled()[before..];
        if !arrived.is_empty() {
            self.activity.fetch_add(1, Ordering::Relaxed);
            self.ledger.received(arrived);
        } else if read.is_err() || room > 0 {
            self.ledger.ended();
        }
        Poll::Ready(read)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Tap<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }

    fn poll_write_vectored(mut self: Pin<&mut Self>, cx: &mut Context<'_>, slices: &[io::IoSlice<'_>]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(cx, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}
