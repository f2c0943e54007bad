//! The connection as the server sees it, with every incoming byte shown to the ledger.

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

/// A connection whose incoming bytes are followed. Dropping it closes the ledger.
#[derive(Debug)]
pub(super) struct Tap {
    socket: Arc<Socket>,
    connection_log: Arc<ConnectionLog>,
    /// Counts arrivals, so that a stop can send_command when nothing more is on its way.
    activity: Arc<AtomicU64>,
    /// What becomes of the connection after a response, as long as the faults do not end.
    after_response: Option<(AfterResponse, Arc<ActiveFaults>)>,
}

/// What is wrong with a connection that has been used once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum AfterResponse {
    /// It is closed.
    Closes,
    /// It is closed as the next request arrives.
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

    /// What becomes of the connection now, where it has been used and is idle.
    fn fate(&self) -> Option<AfterResponse> {
        let (fate, active_faults) = self.after_response.as_ref()?;
        (!active_faults.is_over()
            && self.socket.has_responded()
            && self.connection_log.is_between_requests())
        .then_some(*fate)
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
        match self.fate() {
            // For the server, and so for the peer, the stream has ended.
            Some(AfterResponse::Closes) => return Poll::Ready(Ok(())),
            Some(AfterResponse::ClosesWhenUsed) if ready!(self.socket.poll_arrival(cx))? => {
                // What a system does that closes a connection with something unread on it.
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
        // What was written is the system's; only the response may have come to its end.
        self.socket.flushed();
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(self.socket.shut())
    }
}
