//! A connection to a cell, checked once more before it is used (Z-17).

use std::io;
use std::mem::MaybeUninit;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use socket2::SockRef;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

use super::bulkhead::ConnectionPlace;
use crate::guard::IdleTimeout;

/// How long a cell may read nothing of a request that is being sent.
const READ_PAUSE: Duration = Duration::from_secs(60);

/// A connection to a cell.
///
/// The parser looks for the end of an idle connection before it writes a request to it; but what it
/// is told is as old as the last turn of the event queue. A cell's FIN may be here already. So
/// where a request is about to be sent, the system itself is asked: a connection that has ended
/// takes no request then, and one with bytes that nobody asked for does not either.
#[derive(Debug)]
pub(super) struct CellStream {
    stream: TcpStream,
    about_to_send: Arc<AtomicBool>,
    read_pause: IdleTimeout,
    _place: ConnectionPlace,
}

/// Tells a connection that it is about to be used.
#[derive(Clone, Debug)]
pub(super) struct Notice(Arc<AtomicBool>);

impl Notice {
    /// The next thing on this connection is a request.
    pub(super) fn about_to_send(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl CellStream {
    /// A new connection.
    pub(super) fn new(stream: TcpStream, place: ConnectionPlace) -> (Self, Notice) {
        let about_to_send = Arc::new(AtomicBool::new(false));
        let notice = Notice(Arc::clone(&about_to_send));
        let read_pause = IdleTimeout::new(READ_PAUSE);
        (Self { stream, about_to_send, read_pause, _place: place }, notice)
    }

    /// Nothing to read, as it should be before a request; else its end, as reading would tell.
    fn look(&self) -> Poll<io::Result<()>> {
        let mut first = [MaybeUninit::uninit()];
        match SockRef::from(&self.stream).peek(&mut first) {
            Ok(0) => Poll::Ready(Ok(())),
            Ok(_) => Poll::Ready(Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "bytes that nobody asked for",
            ))),
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted
                ) =>
            {
                Poll::Pending
            }
            Err(error) => Poll::Ready(Err(error)),
        }
    }
}

impl AsyncRead for CellStream {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let tried = Pin::new(&mut this.stream).poll_read(cx, buf);
        if this.about_to_send.load(Ordering::Relaxed) {
            this.about_to_send.store(false, Ordering::Relaxed);
            if tried.is_pending() {
                return this.look();
            }
        }
        tried
    }
}

impl AsyncWrite for CellStream {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let tried = Pin::new(&mut this.stream).poll_write(cx, bytes);
        this.read_pause.watch(cx, tried)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let tried = Pin::new(&mut this.stream).poll_write_vectored(cx, slices);
        this.read_pause.watch(cx, tried)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(cx)
    }
}
