//! How long the other side of a connection may keep the router waiting.

use std::future::Future as _;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::time::{Instant, Sleep};

/// When a wait began, and the timer that ends it. The timer stays for the next wait: a spurious
/// wake-up costs less than setting it again each time. Without a wait there is none.
#[derive(Debug, Default)]
pub(crate) struct Wait {
    since: Option<Instant>,
    timer: Option<Pin<Box<Sleep>>>,
}

impl Wait {
    /// What was waited for has come; returns when the wait began, if there was one.
    pub(crate) fn end(&mut self) -> Option<Instant> {
        self.since.take()
    }

    /// Begins a wait where there is none, and turns one beyond the limit into an error.
    pub(crate) fn poll<T>(&mut self, cx: &mut Context<'_>, limit: Duration) -> Poll<io::Result<T>> {
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

/// A limit on waiting for the other side of a connection. It costs a timer only where there is a
/// wait.
#[derive(Debug)]
pub(crate) struct IdleTimeout {
    limit: Duration,
    wait: Wait,
}

impl IdleTimeout {
    /// Not waiting yet.
    pub(crate) fn new(limit: Duration) -> Self {
        Self { limit, wait: Wait::default() }
    }

    /// What was waited for has come.
    pub(crate) fn over(&mut self) {
        self.wait.end();
    }

    /// Returns the outcome of an attempt, and turns a wait beyond the limit into an error.
    pub(crate) fn watch<T>(
        &mut self,
        cx: &mut Context<'_>,
        tried: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if tried.is_ready() {
            self.wait.end();
            return tried;
        }
        self.wait.poll(cx, self.limit)
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;

    use super::*;

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
