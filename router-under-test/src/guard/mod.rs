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
mod pace;
mod presence;
mod request_error;
mod state;
#[cfg(test)]
mod tests;
mod token;
mod wait;

use std::future::Future as _;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Sleep;

use crate::config::Patience;
use crate::connections::Waits;
pub(crate) use head::{LONGEST_HEAD, MOST_FIELDS};
pub(crate) use idle_timeout::IdleTimeout;
use pace::Pace;
use presence::{Presence, Watched};
pub(crate) use request_error::RequestError;
pub(crate) use state::GuardState;
use state::{Shared, lock};

/// How long a user may read nothing of the response.
const READ_PAUSE: Duration = Duration::from_secs(300);

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
    body: Pace,
    head: IdleTimeout,
    read_pause: IdleTimeout,
    linger: Option<Pin<Box<Sleep>>>,
    /// A request is under way, so that nothing is read but its body.
    under_way: bool,
    waits: Waits,
    presence: Presence,
}

impl<S: Watched> Guarded<S> {
    /// Guards a new connection, and says in `waits` whether it waits for its user.
    pub(crate) fn new(stream: S, waits: Waits, patience: Patience) -> (Self, GuardState) {
        let (guard_state, shared) = GuardState::new();
        let guarded = Self {
            stream,
            shared,
            held: Vec::new(),
            passed: 0,
            fault: None,
            stood_in: false,
            body: Pace::new(patience.body),
            head: IdleTimeout::new(patience.head),
            waits,
            read_pause: IdleTimeout::new(READ_PAUSE),
            linger: None,
            under_way: false,
            presence: Presence::new(patience.half_closed),
        };
        (guarded, guard_state)
    }

    /// A head or a part of a body is let through.
    fn begins(&mut self) {
        if !self.under_way {
            self.under_way = true;
            self.head.over();
            self.body.restart();
            self.waits.end();
        }
    }

    /// The parser reads the next head, and it does so once the response is whole.
    fn waits_for_head(&mut self) {
        if self.under_way {
            self.under_way = false;
            self.waits.begin();
        }
    }

    /// Gives bytes that were held and may go.
    fn give(&mut self, buf: &mut ReadBuf<'_>) {
        self.begins();
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
            if !in_body {
                this.waits_for_head();
            }

            let before = buf.filled().len();
            let mut tried = Pin::new(&mut this.stream).poll_read(cx, buf);
            if in_body {
                tried = this.body.watch(cx, tried);
            } else if !this.held.is_empty() && tried.is_pending() {
                tried = this.head.watch(cx, tried);
            }
            ready!(tried)?;
            if buf.filled().len() == before {
                return Poll::Ready(Ok(()));
            }
            if in_body {
                this.body.arrived(buf.filled().len() - before);
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
                    this.begins();
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
        this.presence.written();
        this.read_pause.watch(cx, tried)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let tried = Pin::new(&mut this.stream).poll_write_vectored(cx, slices);
        this.presence.written();
        this.read_pause.watch(cx, tried)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        // The parser flushes whenever it has been woken, for whatever reason.
        if this.under_way {
            let shared = &this.shared;
            let listens = || lock(shared).follower.is_between_requests();
            this.presence.watch(cx, &this.stream, listens)?;
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
