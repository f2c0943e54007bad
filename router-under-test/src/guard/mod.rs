//! Stands between a user's connection and the HTTP parser, and lets through only what every parser
//! reads in the same way (Z-54, Z-55, Z-56, Z-42, Z-47, Z-50).
//!
//! The parser behind it takes, as RFC 9112 allows, some messages that another one could read
//! differently: `Content-Length` beside `Transfer-Encoding`, a length that is said twice, lines
//! that end in LF. Behind a router that sends requests again that is not good enough. So each head
//! is read here first, and reaches the parser as a whole or not at all.
//!
//! Where a head is at fault, the parser is given a plain request in its place, after all those that
//! came before it. [`GuardState::on`] tells the service which one that is, so that it refuses it;
//! nothing behind it is ever read. A body whose chunks are at fault breaks off.

mod chunks;
mod follow;
mod head;
mod idle_timeout;
mod request_error;
#[cfg(test)]
mod tests;
mod token;

use std::future::Future as _;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker, ready};
use std::time::Duration;

use socket2::SockRef;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep};

use follow::Follower;
pub(crate) use head::LONGEST_HEAD;
pub(crate) use idle_timeout::IdleTimeout;
pub(crate) use request_error::RequestError;

/// How long a user may pause within a body.
const BODY_PAUSE: Duration = Duration::from_secs(60);

/// How long a user may read nothing of the response.
const READ_PAUSE: Duration = Duration::from_secs(300);

/// How often a connection is asked whether it failed while nobody reads from it or writes to it. A
/// user who is gone looks like one who has nothing more to say, until the system has tried to reach
/// them.
const PULSE: Duration = Duration::from_secs(30);

/// How long what a user still sends is read after the last response: whoever is sending would see
/// the connection reset, and perhaps not the response.
const LINGER: Duration = Duration::from_secs(1);

/// The request that the parser gets instead of an invalid head.
const STAND_IN: &[u8] = b"GET / HTTP/1.1\r\nHost: refused\r\nConnection: close\r\n\r\n";

/// A user's connection that lets through what is unambiguous.
#[derive(Debug)]
pub(crate) struct Guarded<S: Watched> {
    stream: S,
    shared: Arc<Mutex<Shared>>,
    /// Read, and not let through yet.
    held: Vec<u8>,
    /// How much of that may be let through.
    passed: usize,
    /// What is wrong with what follows.
    fault: Option<RequestError>,
    stood_in: bool,
    body_pause: IdleTimeout,
    read_pause: IdleTimeout,
    linger: Option<Pin<Box<Sleep>>>,
    pulse: Option<Pin<Box<Sleep>>>,
}

/// A connection that can tell whether it failed, and be made to.
pub(crate) trait Watched {
    /// Why it failed, if it did since the last call.
    fn failure(&self) -> Option<io::Error>;

    /// Ends with a reset when it is dropped.
    fn break_off(&self);
}

impl Watched for TcpStream {
    fn failure(&self) -> Option<io::Error> {
        self.take_error().unwrap_or_else(Some)
    }

    fn break_off(&self) {
        // Only a closed connection lacks this option.
        let _ = SockRef::from(self).set_linger(Some(Duration::ZERO));
    }
}

/// What the guard of a connection and the service behind it tell each other.
#[derive(Clone, Debug)]
pub(crate) struct GuardState(Arc<Mutex<Shared>>);

#[derive(Debug)]
struct Shared {
    follower: Follower,
    /// The number of the substituted request, and why it is refused.
    refused: Option<(u64, RequestError)>,
    /// Who waits for the response to a request for another protocol.
    waiting: Option<Waker>,
    /// The end of the connection may be that of a response, and has not come as such.
    ends_unmarked: bool,
}

impl<S: Watched> Guarded<S> {
    /// Guards a new connection.
    pub(crate) fn new(stream: S) -> (Self, GuardState) {
        let shared = Arc::new(Mutex::new(Shared {
            follower: Follower::new(),
            refused: None,
            waiting: None,
            ends_unmarked: false,
        }));
        let guard_state = GuardState(Arc::clone(&shared));
        let guarded = Self {
            stream,
            shared,
            held: Vec::new(),
            passed: 0,
            fault: None,
            stood_in: false,
            body_pause: IdleTimeout::new(BODY_PAUSE),
            read_pause: IdleTimeout::new(READ_PAUSE),
            linger: None,
            pulse: None,
        };
        (guarded, guard_state)
    }

    /// Gives bytes that were held and may go.
    fn give(&mut self, buf: &mut ReadBuf<'_>) {
        let length = self.passed.min(buf.remaining());
        buf.put_slice(&self.held[..length]);
        self.held.drain(..length);
        self.passed -= length;
        if self.held.is_empty() {
            // A connection that has once sent a large head need not keep room for another.
            self.held = Vec::new();
        }
    }

    /// After what was let through comes only the end.
    fn at_fault(&mut self, buf: &mut ReadBuf<'_>, fault: RequestError) -> io::Result<()> {
        if fault == RequestError::Chunk {
            return Err(io::Error::new(io::ErrorKind::InvalidData, fault));
        }
        if !self.stood_in && buf.remaining() >= STAND_IN.len() {
            self.stood_in = true;
            buf.put_slice(STAND_IN);
        }
        Ok(())
    }
}

impl GuardState {
    /// Why the request of this number (the first is 1) is refused, if it is.
    pub(crate) fn on(&self, number: u64) -> Option<RequestError> {
        lock(&self.0).refused.filter(|(refused, _)| *refused == number).map(|(_, fault)| fault)
    }

    /// Tells whether the request of this number received a change of protocol. To be called for
    /// every request: what comes behind one that asks for it waits for this.
    pub(crate) fn decide(&self, number: u64, tunnel: bool) {
        let mut shared = lock(&self.0);
        // An earlier one decides nothing about the last.
        if shared.follower.requests() == number {
            shared.follower.decide(tunnel);
            if let Some(waker) = shared.waiting.take() {
                waker.wake();
            }
        }
    }

    /// Tells whether the user knows no chunks (HTTP/1.0), so that the end of the connection may
    /// stand for the end of a response. A response that is not whole ends with a reset then (Z-41).
    pub(crate) fn ends_unmarked(&self, unmarked: bool) {
        lock(&self.0).ends_unmarked = unmarked;
    }

    /// Whether the last request has a body whose end has not arrived.
    pub(crate) fn is_in_body(&self) -> bool {
        lock(&self.0).follower.is_in_body()
    }
}

impl Shared {
    /// How many of these bytes may go; notes which request is at fault.
    fn advance(&mut self, bytes: &[u8]) -> (usize, Option<RequestError>) {
        let (passed, fault) = self.follower.advance(bytes);
        if let Some(fault) = fault.filter(|fault| *fault != RequestError::Chunk) {
            tracing::debug!(%fault, "request refused");
            self.refused = Some((self.follower.requests() + 1, fault));
        }
        (passed, fault)
    }
}

/// No code panics while holding it; and if one did, its content is consistent.
fn lock(shared: &Mutex<Shared>) -> MutexGuard<'_, Shared> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<S: Watched> Drop for Guarded<S> {
    fn drop(&mut self) {
        if lock(&self.shared).ends_unmarked {
            self.stream.break_off();
        }
    }
}

impl<S: AsyncRead + Watched + Unpin> AsyncRead for Guarded<S> {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        loop {
            if this.passed > 0 {
                this.give(buf);
                return Poll::Ready(Ok(()));
            }
            if let Some(fault) = this.fault {
                return Poll::Ready(this.at_fault(buf, fault));
            }
            let mut shared = lock(&this.shared);
            if !this.held.is_empty() {
                // Behind a request for another protocol they may have become something else.
                (this.passed, this.fault) = shared.advance(&this.held);
                if this.passed > 0 || this.fault.is_some() {
                    continue;
                }
            }
            if shared.follower.is_undecided() {
                shared.waiting = Some(cx.waker().clone());
                return Poll::Pending;
            }
            let in_body = shared.follower.is_in_body();
            drop(shared);

            let before = buf.filled().len();
            let mut tried = Pin::new(&mut this.stream).poll_read(cx, buf);
            if in_body {
                tried = this.body_pause.watch(cx, tried);
            }
            ready!(tried)?;
            if buf.filled().len() == before {
                return Poll::Ready(Ok(()));
            }
            if this.held.is_empty() {
                // The usual case: whole requests and bodies are looked at where they are.
                let (passed, fault) = lock(&this.shared).advance(&buf.filled()[before..]);
                this.fault = fault;
                if fault.is_none() {
                    this.held.extend_from_slice(&buf.filled()[before + passed..]);
                }
                buf.set_filled(before + passed);
                if passed > 0 {
                    return Poll::Ready(Ok(()));
                }
            } else {
                this.held.extend_from_slice(&buf.filled()[before..]);
                buf.set_filled(before);
            }
        }
    }
}

impl<S: AsyncRead + AsyncWrite + Watched + Unpin> AsyncWrite for Guarded<S> {
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
        let this = self.get_mut();
        // The parser flushes whenever it has been woken, for whatever reason.
        let pulse = this.pulse.get_or_insert_with(|| Box::pin(tokio::time::sleep(PULSE)));
        while pulse.as_mut().poll(cx).is_ready() {
            pulse.as_mut().reset(Instant::now() + PULSE);
            if let Some(error) = this.stream.failure() {
                return Poll::Ready(Err(error));
            }
        }
        Pin::new(&mut this.stream).poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        // The parser comes here only behind a response that is whole.
        lock(&this.shared).ends_unmarked = false;
        ready!(Pin::new(&mut this.stream).poll_shutdown(cx))?;
        if this.fault.is_none() && this.held.is_empty() && !lock(&this.shared).follower.is_in_body()
        {
            return Poll::Ready(Ok(()));
        }
        let linger = this.linger.get_or_insert_with(|| Box::pin(tokio::time::sleep(LINGER)));
        let mut unwanted = [0; 4096];
        while linger.as_mut().poll(cx).is_pending() {
            let mut buf = ReadBuf::new(&mut unwanted);
            match ready!(Pin::new(&mut this.stream).poll_read(cx, &mut buf)) {
                Ok(()) if !buf.filled().is_empty() => {}
                // Its end, or an error that does not matter any more.
                _ => break,
            }
        }
        Poll::Ready(Ok(()))
    }
}
