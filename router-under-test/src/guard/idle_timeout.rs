//! How long a peer may keep the router waiting.

use std::future::Future as _;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::time::{Instant, Sleep};

/// A limit on waiting for the other side of a connection. It costs a timer only where there is a
/// wait.
#[derive(Debug)]
pub(crate) struct IdleTimeout {
    limit: Duration,
    /// When the wait began.
    since: Option<Instant>,
    timer: Option<Pin<Box<Sleep>>>,
}

impl IdleTimeout {
    /// Not waiting yet.
    pub(crate) fn new(limit: Duration) -> Self {
        Self { limit, since: None, timer: None }
    }

    /// What was waited for has come.
    pub(crate) fn over(&mut self) {
        self.since = None;
    }

    /// Returns the outcome of an attempt, and turns a wait beyond the limit into an error.
    pub(crate) fn watch<T>(
        &mut self,
        cx: &mut Context<'_>,
        tried: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if tried.is_ready() {
            // The timer stays for the next wait; a spurious wake-up costs less than setting it
            // again each time.
            self.since = None;
            return tried;
        }
        let deadline = *self.since.get_or_insert_with(Instant::now) + self.limit;
        let timer = self.timer.get_or_insert_with(|| Box::pin(tokio::time::sleep_until(deadline)));
        loop {
            if timer.as_mut().poll(cx).is_pending() {
                return Poll::Pending;
            }
            if Instant::now() >= deadline {
                return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
            }
            // It was set for an earlier wait.
            timer.as_mut().reset(deadline);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::poll_fn;

    #[tokio::test(flavor = "current_thread")]
    async fn only_an_uninterrupted_wait_counts() {
        let mut idle_timeout = IdleTimeout::new(Duration::from_millis(60));
        let began = Instant::now();
        for _ in 0..3 {
            // Repeated waits of half the limit are no timeout.
            let half = poll_fn(|cx| idle_timeout.watch(cx, Poll::<io::Result<()>>::Pending));
            assert!(tokio::time::timeout(Duration::from_millis(5), half).await.is_err());
            poll_fn(|cx| idle_timeout.watch(cx, Poll::Ready(Ok(())))).await.unwrap();
        }
        let last = Instant::now();
        let error = poll_fn(|cx| idle_timeout.watch(cx, Poll::<io::Result<()>>::Pending))
            .await
            .unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        assert!(last.elapsed() >= Duration::from_millis(60) && began < last);
    }
}
