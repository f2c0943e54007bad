//! A TCP connection that does not wait without end for a peer who takes nothing.

use std::io;
use std::mem::MaybeUninit;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use socket2::{SockRef, TcpKeepalive};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep};

/// Longest head of a message, in bytes (Z-47). The fields that the router adds are not in it.
pub(crate) const LONGEST_HEAD: usize = 64 * 1024;
/// After this much silence the system asks whether the peer is still there.
const KEEPALIVE: Duration = Duration::from_secs(30);
/// How long the router reads on, and discards, behind the last response on a connection. A close
/// with unread bytes would be a reset, which can take the response with it (Z-57).
const LINGER: Duration = Duration::from_secs(2);

/// Runs while something is awaited; none while nothing is.
pub(crate) type Timer = Option<Pin<Box<Sleep>>>;

/// Ready when this much time is over since the timer was none.
pub(crate) fn poll_limit(timer: &mut Timer, limit: Duration, cx: &mut Context<'_>) -> Poll<()> {
    timer.get_or_insert_with(|| Box::pin(sleep(limit))).as_mut().poll(cx)
}

/// What the router knows about the connection of a user while hyper has it.
#[derive(Debug, Default)]
pub struct Link {
    unread: AtomicBool,
    switched: AtomicBool,
    responding: AtomicBool,
}

impl Link {
    pub(crate) fn request_is_read(&self) {
        self.unread.store(false, Ordering::Relaxed);
    }

    /// Whether something of a request may be left to read.
    pub(crate) fn has_unread(&self) -> bool {
        self.unread.load(Ordering::Relaxed) && !self.switched.load(Ordering::Relaxed)
    }

    /// The connection is no longer one of requests and responses.
    pub(crate) fn switches(&self) {
        self.switched.store(true, Ordering::Relaxed);
    }

    /// Whether something of a response is still to come. A connection that ends then does so with a
    /// reset, so that a truncated response does not look complete: the user may speak HTTP/1.0, and
    /// know the end of a response by that of the connection (Z-41).
    pub(crate) fn responds(&self, responding: bool) {
        self.responding.store(responding, Ordering::Relaxed);
    }
}

/// A connection to a user or a cell. It fails where the peer takes nothing for a limit of time.
#[derive(Debug)]
pub struct Stream {
    socket: TcpStream,
    /// Of a user's connection alone.
    link: Option<Arc<Link>>,
    silence: Duration,
    /// Runs while the peer takes nothing.
    stalled: Timer,
    /// The cell has responded and takes no more: what is still written to it is discarded.
    is_deaf: bool,
    /// Runs once the last response was written, while bytes of the peer are discarded.
    lingers: Timer,
}

impl Stream {
    pub(crate) fn new(socket: TcpStream, silence: Duration, link: Option<Arc<Link>>) -> Self {
        // Where the peer has gone already, the first read finds it out.
        let _ = socket.set_nodelay(true);
        let keepalive = TcpKeepalive::new().with_time(KEEPALIVE);
        let _ = SockRef::from(&socket).set_tcp_keepalive(&keepalive);
        Self { socket, link, silence, stalled: None, is_deaf: false, lingers: None }
    }

    /// The outcome of a write of `length` bytes; an error where the peer takes nothing for too long.
    ///
    /// A cell may respond and close before it has read the body (RFC 9112 9.5). hyper would end the
    /// connection with the failed write, and lose a response that has come.
    fn taken(
        &mut self,
        cx: &mut Context<'_>,
        length: usize,
        outcome: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        if let Poll::Ready(outcome) = outcome {
            self.stalled = None;
            self.is_deaf |= outcome.is_err() && self.link.is_none() && self.has_more_to_read();
            return Poll::Ready(if self.is_deaf { Ok(length) } else { outcome });
        }
        ready!(poll_limit(&mut self.stalled, self.silence, cx));
        Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the peer takes nothing")))
    }

    /// Whether bytes of the peer have come that nobody has read.
    fn has_more_to_read(&self) -> bool {
        let mut byte = [MaybeUninit::uninit()];
        SockRef::from(&self.socket).peek(&mut byte).is_ok_and(|length| length > 0)
    }
}

impl AsyncRead for Stream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        ready!(Pin::new(&mut self.socket).poll_read(cx, buffer))?;
        if let Some(link) = &self.link {
            link.unread.store(!buffer.filled().is_empty(), Ordering::Relaxed);
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Stream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let outcome = Pin::new(&mut self.socket).poll_write(cx, bytes);
        self.taken(cx, bytes.len(), outcome)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let outcome = Pin::new(&mut self.socket).poll_write_vectored(cx, slices);
        self.taken(cx, slices.iter().map(|slice| slice.len()).sum(), outcome)
    }

    fn is_write_vectored(&self) -> bool {
        self.socket.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.lingers.is_none() {
            ready!(Pin::new(&mut self.socket).poll_shutdown(cx))?;
            if !self.link.as_ref().is_some_and(|link| link.has_unread()) {
                return Poll::Ready(Ok(()));
            }
        }
        if poll_limit(&mut self.lingers, LINGER, cx).is_ready() {
            return Poll::Ready(Ok(()));
        }
        let mut discarded = [0; 4096];
        loop {
            let mut buffer = ReadBuf::new(&mut discarded);
            ready!(Pin::new(&mut self.socket).poll_read(cx, &mut buffer))?;
            if buffer.filled().is_empty() {
                return Poll::Ready(Ok(()));
            }
        }
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        if self.link.as_ref().is_some_and(|link| link.responding.load(Ordering::Relaxed)) {
            // Where it cannot be set, the connection just ends.
            let _ = SockRef::from(&self.socket).set_linger(Some(Duration::ZERO));
        }
    }
}
