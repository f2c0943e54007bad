//! A wait for the other side of a connection, and its timer.

use std::future::Future as _;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::time::{Instant, Sleep};

/// When a wait began, and the timer that ends it. The timer stays for the next wait: a spurious
/// wake-up costs less than setting it again each time. Without a wait there is none.
#[derive(Debug, Default)]
pub(super) struct Wait {
    since: Option<Instant>,
    timer: Option<Pin<Box<Sleep>>>,
}

impl Wait {
    /// What was waited for has come; returns when the wait began, if there was one.
    pub(super) fn end(&mut self) -> Option<Instant> {
        self.since.take()
    }

    /// Begins a wait where there is none, and turns one beyond the limit into an error.
    pub(super) fn poll<T>(&mut self, cx: &mut Context<'_>, limit: Duration) -> Poll<io::Result<T>> {
        let deadline = *self.since.get_or_insert_with(Instant::now) + limit;
        let timer = self.timer.get_or_insert_with(|| Box::pin(tokio::time::sleep_until(deadline)));
        loop {
            if timer.as_mut().poll(cx).is_pending() && timer.deadline() <= deadline {
                return Poll::Pending;
            }
            if Instant::now() >= deadline {
                return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
            }
            // It was set for another wait.
            timer.as_mut().reset(deadline);
        }
    }
}
