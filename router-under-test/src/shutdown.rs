//! The shutdown signal, and the connections that are still open.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use tokio::sync::{Notify, watch};

use crate::metrics::{self, Count};

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
    /// Returns at shutdown; at once if it has begun, or if the sender is gone.
    pub(crate) async fn begun(&mut self) {
        let _ = self.0.wait_for(|stop| *stop).await;
    }
}

/// The connections of one thread: counted, and told to end by something that other threads do not
/// touch.
#[derive(Clone, Debug, Default)]
pub(crate) struct Connections(Rc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    count: Cell<usize>,
    none_left: Notify,
    one_less: Notify,
    ending: Cell<bool>,
    end: Notify,
}

/// One connection, counted until this is dropped.
#[derive(Debug)]
pub(crate) struct Counted(Rc<Shared>);

impl Connections {
    /// Counts one more.
    pub(crate) fn count(&self) -> Counted {
        self.0.count.set(self.0.count.get() + 1);
        metrics::count(Count::ConnectionOpened);
        Counted(Rc::clone(&self.0))
    }

    /// Tells all of them to end, those too that are counted later.
    pub(crate) fn end(&self) {
        self.0.ending.set(true);
        self.0.end.notify_waiters();
    }

    /// Returns when none is left.
    pub(crate) async fn none_left(&self) {
        while self.0.count.get() > 0 {
            self.0.none_left.notified().await;
        }
    }

    /// Returns when there are fewer than `limit`. Only one may wait.
    pub(crate) async fn fewer_than(&self, limit: usize) {
        while self.0.count.get() >= limit {
            self.0.one_less.notified().await;
        }
    }

    /// How many there are.
    pub(crate) fn number(&self) -> usize {
        self.0.count.get()
    }
}

impl Counted {
    /// Whether the connection is to end.
    pub(crate) fn is_ending(&self) -> bool {
        self.0.ending.get()
    }

    /// Returns when the connection is to end.
    pub(crate) async fn ending(&self) {
        while !self.is_ending() {
            self.0.end.notified().await;
        }
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.count.set(self.0.count.get() - 1);
        metrics::count(Count::ConnectionClosed);
        self.0.one_less.notify_one();
        if self.0.count.get() == 0 {
            self.0.none_left.notify_one();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(flavor = "current_thread")]
    async fn shutdown_waits_for_the_last_request() {
        let open = Connections::default();
        open.none_left().await;
        let (first, second) = (open.count(), open.count());
        drop(first);
        assert_eq!(open.number(), 1);
        let waiting = open.none_left();
        drop(second);
        waiting.await;
    }

    #[tokio::test(flavor = "current_thread")]
    async fn a_connection_waits_until_one_is_free() {
        let open = Connections::default();
        open.fewer_than(1).await;
        let (first, second) = (open.count(), open.count());
        open.fewer_than(3).await;
        let mut waiting = std::pin::pin!(open.fewer_than(1));
        drop(first);
        tokio::select! {
            biased;
            () = waiting.as_mut() => panic!("one is left"),
            () = tokio::task::yield_now() => {}
        }
        drop(second);
        waiting.await;
    }

    #[tokio::test(flavor = "current_thread")]
    async fn a_late_listener_sees_the_signal() {
        let (stop, stopping) = stop();
        let mut early = stopping.clone();
        stop.now();
        early.begun().await;
        stopping.clone().begun().await;

        let open = Connections::default();
        let counted = open.count();
        open.end();
        counted.ending().await;
        open.count().ending().await;
    }
}
