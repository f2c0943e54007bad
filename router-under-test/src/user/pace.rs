//! How slowly a user may send a body.

use std::io;
use std::task::{Context, Poll};
use std::time::Duration;

use crate::config::BodyTimeout;
use crate::tcp::Wait;

/// How long the router has waited for one body. It costs a timer only where there is a wait.
#[derive(Debug)]
pub(super) struct Pace {
    timeout: BodyTimeout,
    bytes: u64,
    waited: Duration,
    wait: Wait,
}

impl Pace {
    /// Nothing has arrived.
    pub(super) fn new(timeout: BodyTimeout) -> Self {
        Self { timeout, bytes: 0, waited: Duration::ZERO, wait: Wait::default() }
    }

    /// Another body begins.
    pub(super) fn restart(&mut self) {
        (self.bytes, self.waited) = (0, Duration::ZERO);
        self.wait.end();
    }

    /// So much arrived.
    pub(super) fn arrived(&mut self, bytes: usize) {
        self.bytes = self.bytes.saturating_add(bytes as u64);
        if let Some(since) = self.wait.end() {
            self.waited += since.elapsed();
        }
    }

    /// Returns the outcome of an attempt to read, and turns too slow a body into an error.
    pub(super) fn watch<T>(
        &mut self,
        cx: &mut Context<'_>,
        tried: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if tried.is_ready() {
            return tried;
        }
        let earned = Duration::from_secs(self.bytes / self.timeout.rate.max(1));
        let left = (self.timeout.grace.saturating_add(earned)).saturating_sub(self.waited);
        self.wait.poll(cx, left.min(self.timeout.pause))
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;

    use super::*;

    async fn wait(pace: &mut Pace, time: u64) -> bool {
        let waiting = poll_fn(|cx| pace.watch(cx, Poll::<io::Result<()>>::Pending));
        tokio::time::timeout(Duration::from_millis(time), waiting).await.is_err()
    }

    #[tokio::test(flavor = "current_thread")]
    async fn waits_add_up_and_bytes_earn_time() {
        let millis = Duration::from_millis;
        let timeout = BodyTimeout { grace: millis(120), rate: 1000, pause: millis(10_000) };
        let mut pace = Pace::new(timeout);
        // Each wait is short, and a byte comes in between.
        let mut waits = 0;
        while wait(&mut pace, 30).await {
            pace.arrived(1);
            waits += 1;
        }
        assert!((1..=4).contains(&waits), "{waits}");
        pace.restart();
        pace.arrived(1000);
        assert!(wait(&mut pace, 300).await);
    }

    #[tokio::test(flavor = "current_thread")]
    async fn a_single_pause_has_a_limit() {
        let pause = Duration::from_millis(20);
        let mut pace = Pace::new(BodyTimeout { grace: Duration::from_secs(20), rate: 1, pause });
        pace.arrived(1_000_000);
        assert!(!wait(&mut pace, 10_000).await);
    }
}
