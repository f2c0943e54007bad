//! What a piece of work takes of its job, so that a pool can give the job to another one while it
//! only waits.

use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

/// What a piece of work says of itself, and what its pool tells it. Before `counts_from_now` it
/// counts as idle only in so far as its routers wait while they start.
#[derive(Default)]
pub struct Idle {
    phase: Mutex<Phase>,
    /// Told when a job is there, or never will be.
    given: Notify,
    /// Makes the pool look at its tasks again. Absent outside a pool, and for work that keeps its
    /// job.
    look: Option<Box<dyn Fn() + Send + Sync>>,
}

/// What the work does.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
enum Phase {
    /// It has its job.
    #[default]
    Works,
    /// Its routers start, which takes this share of a job.
    Starts(f64),
    /// Its routers are ready, and it waits for a job.
    IsReady,
    /// The pool has ended before there was a job for it.
    Refused,
    /// It counts as idle while it waits: since when it does.
    Counts(Option<Instant>),
}

impl Idle {
    /// What a task of a pool says of itself; `look` makes the pool look at it.
    pub(crate) fn of_pool(look: impl Fn() + Send + Sync + 'static) -> Self {
        Self { look: Some(Box::new(look)), ..Self::default() }
    }

    /// From now on until it asks for its job again, the work takes a share of it: its routers start.
    pub(crate) fn starts(&self, share: f64) {
        if let Some(look) = self.look.as_ref().filter(|_| share < 1.0) {
            *self.lock() = Phase::Starts(share);
            look();
        }
    }

    /// Its routers are ready: waits for a job, where the work has given up its own. Returns whether
    /// it may go on.
    pub(crate) async fn has_its_job(&self) -> bool {
        {
            let mut phase = self.lock();
            if !matches!(*phase, Phase::Starts(_)) {
                return true;
            }
            *phase = Phase::IsReady;
        }
        if let Some(look) = &self.look {
            look();
        }
        self.given.notified().await;
        *self.lock() != Phase::Refused
    }

    /// From now on, the work counts as idle while it waits.
    pub(crate) fn counts_from_now(&self) {
        *self.lock() = Phase::Counts(None);
    }

    /// The work has nothing to do until something happens.
    pub(crate) fn begins(&self) {
        if let Phase::Counts(since) = &mut *self.lock() {
            *since = Some(Instant::now());
        }
    }

    /// Something happened.
    pub(crate) fn ends(&self) {
        if let Phase::Counts(since) = &mut *self.lock() {
            *since = None;
        }
    }

    /// The share of its job that it takes, where it is idle after so long a wait.
    pub(crate) fn share(&self, length: Duration) -> f64 {
        match *self.lock() {
            Phase::Works => 1.0,
            Phase::Starts(share) => share,
            Phase::Counts(Some(since)) if since.elapsed() >= length => 0.0,
            Phase::Counts(_) => 1.0,
            Phase::IsReady | Phase::Refused => 0.0,
        }
    }

    /// Whether it waits for a job.
    pub(crate) fn is_ready(&self) -> bool {
        *self.lock() == Phase::IsReady
    }

    /// Gives it the job that it waits for, or says that it gets none.
    pub(crate) fn go_on(&self, may: bool) {
        *self.lock() = if may { Phase::Works } else { Phase::Refused };
        self.given.notify_one();
    }

    /// A panic elsewhere leaves no phase half written.
    fn lock(&self) -> MutexGuard<'_, Phase> {
        self.phase.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Idle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Idle").field(&*self.lock()).finish()
    }
}
