//! Whether a user who waits for a response is still there.
//!
//! Nothing is read from a connection while its request is under way, so nothing tells that the user
//! has gone. A reset means that. The end of what the user sends does not: who closes that half alone
//! still waits for the response (Z-45), and a connection that was closed as a whole looks the same
//! until something is written to it. So the user gets a time of grace, counted from the last byte
//! that was written: long enough for nearly all responses to those few who close one half, and so
//! short that users who leave in a crowd do not keep the others out.

use std::future::Future as _;
use std::io;
use std::pin::Pin;
use std::task::Context;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep};

/// How often a connection is asked while a request is under way.
const PULSE: Duration = Duration::from_secs(1);

/// A shorter limit is as good as none, and is not looked after more often.
const SHORTEST_PULSE: Duration = Duration::from_millis(20);

/// Why the connection failed, if it did since the last call.
fn failure(stream: &TcpStream) -> Option<io::Error> {
    stream.take_error().unwrap_or_else(Some)
}

/// Whether the user has said that they send no more.
fn has_half_closed(stream: &TcpStream) -> bool {
    // It says so also where there are bytes to be read before the end.
    let mut asked = [PollFd::new(stream, PollFlags::RDHUP)];
    matches!(poll(&mut asked, Some(&Timespec { tv_sec: 0, tv_nsec: 0 })), Ok(1..))
}

/// Asks a connection now and then.
#[derive(Debug)]
pub(super) struct Presence {
    /// How long a user who has closed the sending half may get nothing.
    limit: Duration,
    pulse: Option<Pin<Box<Sleep>>>,
    /// Since when such a user has got nothing.
    silent: Option<Instant>,
}

impl Presence {
    /// Nobody waits yet.
    pub(super) fn new(limit: Duration) -> Self {
        Self { limit, pulse: None, silent: None }
    }

    /// Something was written to the user, or waits until they read.
    pub(super) fn written(&mut self) {
        self.silent = None;
    }

    /// Looks, if it is time to, and says whether it did; an error where the user has gone. To be called whenever something
    /// happens on a connection whose request is under way. `listens` where the end of what the user
    /// sends could mean that they have gone.
    pub(super) fn watch(
        &mut self,
        cx: &mut Context<'_>,
        stream: &TcpStream,
        listens: bool,
    ) -> io::Result<bool> {
        let interval = PULSE.min(self.limit / 4).max(SHORTEST_PULSE);
        let pulse = self.pulse.get_or_insert_with(|| Box::pin(tokio::time::sleep(interval)));
        let mut looked = false;
        while pulse.as_mut().poll(cx).is_ready() {
            looked = true;
            let now = Instant::now();
            pulse.as_mut().reset(now + interval);
            if let Some(error) = failure(stream) {
                return Err(error);
            }
            if !listens || !has_half_closed(stream) {
                self.silent = None;
            } else if now - *self.silent.get_or_insert(now) >= self.limit {
                return Err(io::Error::new(
                    io::ErrorKind::TimedOut,
                    "the user has closed the sending half, and waited for too long",
                ));
            }
        }
        Ok(looked)
    }

    #[cfg(test)]
    pub(super) fn at_once(&mut self) {
        self.pulse = Some(Box::pin(tokio::time::sleep(Duration::ZERO)));
    }
}
