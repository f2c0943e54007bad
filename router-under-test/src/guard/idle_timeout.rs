//! How long a peer may keep the router waiting.

use std::io;
use std::task::{Context, Poll};
use std::time::Duration;

use super::wait::Wait;

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

    use tokio::time::Instant;

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
