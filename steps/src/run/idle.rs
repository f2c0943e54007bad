//! Whether a piece of work only waits, so that a pool can give its job to another one meanwhile.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// What a piece of work says of itself. Before `counts_from_now` it never counts as idle:
/// while a router starts, nothing happens in the suite and much in the router.
#[derive(Debug, Default)]
pub struct Idle {
    counts: AtomicBool,
    since: Mutex<Option<Instant>>,
}

impl Idle {
    /// From now on, the work counts as idle while it waits.
    pub(crate) fn counts_from_now(&self) {
        self.counts.store(true, Ordering::Relaxed);
    }

    /// The work has nothing to do until something happens.
    pub(crate) fn begins(&self) {
        if self.counts.load(Ordering::Relaxed) {
            *self.lock() = Some(Instant::now());
        }
    }

    /// Something happened.
    pub(crate) fn ends(&self) {
        *self.lock() = None;
    }

    /// Whether it has been idle for so long.
    pub(crate) fn lasts(&self, length: Duration) -> bool {
        self.lock().is_some_and(|since| since.elapsed() >= length)
    }

    /// A panic elsewhere leaves no time half written.
    fn lock(&self) -> std::sync::MutexGuard<'_, Option<Instant>> {
        self.since.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
