//! The connection as the server sees it. The connection log sees every incoming byte.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::active_faults::ActiveFaults;
use super::connection_log::ConnectionLog;
use super::socket::Socket;
use crate::fault::Ending;

/// A connection whose incoming bytes are logged. Dropping it closes the log.
#[derive(Debug)]
pub(super) struct Tap {
    socket: Arc<Socket>,
    connection_log: Arc<ConnectionLog>,
    /// Counts arrivals, so that a stop can tell when no bytes are left to read.
    activity: Arc<AtomicU64>,
    /// What happens to the connection after a response, until the faults end.
    after_response: Option<(AfterResponse, Arc<ActiveFaults>)>,
}

/// What happens to a connection after its first response.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum AfterResponse {
    Closes,
    /// It is closed when the next request arrives.
    ClosesWhenUsed,
}

impl Tap {
    pub(super) fn new(
        socket: Arc<Socket>,
        connection_log: Arc<ConnectionLog>,
        activity: Arc<AtomicU64>,
    ) -> Self {
        Self { socket, connection_log, activity, after_response: None }
    }

    pub(super) fn with(
        mut self,
        after_response: Option<(AfterResponse, Arc<ActiveFaults>)>,
    ) -> Self {
        self.after_response = after_response;
        self
    }

    /// What happens to the connection now, where it has been used and is idle.
    fn pending_close(&self) -> Option<AfterResponse> {
        let (after_response, active_faults) = self.after_response.as_ref()?;
        (!active_faults.is_over()
            && self.socket.has_responded()
            && self.connection_log.is_between_requests())
        .then_some(*after_response)
    }
}

impl Drop for Tap {
    fn drop(&mut self) {
        self.connection_log.closed();
        self.socket.closed();
    }
}

impl AsyncRead for Tap {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match self.pending_close() {
            // The server sees the end of the stream, and closes.
            Some(AfterResponse::Closes) => return Poll::Ready(Ok(())),
            Some(AfterResponse::ClosesWhenUsed) if ready!(self.socket.poll_arrival(cx))? => {
                // An operating system resets a connection that is closed with unread bytes.
                self.socket.cut(Ending::Reset);
                return Poll::Ready(Err(io::ErrorKind::ConnectionAborted.into()));
            }
            _ => {}
        }
        let before = buffer.filled().len();
        let room = buffer.remaining();
        let read = ready!(self.socket.poll_read(cx, buffer));
        let arrived = &buffer.filled()[before..];
        if !arrived.is_empty() {
            self.activity.fetch_add(1, Ordering::Relaxed);
            self.connection_log.received(arrived);
        } else if read.is_err() || room > 0 {
            self.connection_log.ended();
        }
        Poll::Ready(read)
    }
}

impl AsyncWrite for Tap {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.socket.poll_write(cx, &[io::IoSlice::new(bytes)])
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.socket.poll_write(cx, slices)
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        // Written bytes need no flush, but the response may have ended.
        self.socket.flushed();
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(self.socket.shutdown_write())
    }
}
