//! The shutdown signal.

use std::time::Duration;

use tokio::sync::watch;

/// How long requests under way may take after the signal to stop; then their connections are
/// closed.
pub const DRAIN_LIMIT: Duration = Duration::from_secs(5);

/// Tells every thread to stop.
#[derive(Debug)]
pub(crate) struct Stop(watch::Sender<bool>);

/// Receives the shutdown signal.
#[derive(Clone, Debug)]
pub(crate) struct Stopping(watch::Receiver<bool>);

/// A sender and a receiver.
pub(crate) fn stop() -> (Stop, Stopping) {
    let (sender, receiver) = watch::channel(false);
    (Stop(sender), Stopping(receiver))
}

impl Stop {
    /// Signals all receivers, also later ones.
    pub(crate) fn now(&self) {
        self.0.send_replace(true);
    }
}

impl Stopping {
    /// Whether shutdown has begun.
    pub(crate) fn has_begun(&self) -> bool {
        *self.0.borrow()
    }

    /// Returns at shutdown; at once if it has begun, or if the sender is gone.
    pub(crate) async fn begun(&mut self) {
        let _ = self.0.wait_for(|stop| *stop).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(flavor = "current_thread")]
    async fn a_late_listener_sees_the_signal() {
        let (stop, stopping) = stop();
        let mut early = stopping.clone();
        stop.now();
        early.begun().await;
        stopping.clone().begun().await;
    }
}
