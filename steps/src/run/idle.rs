//! How much of a job slot a task uses. A task that only waits gives its slot to another one.

use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

/// What a task tells its pool about itself, and what the pool tells the task. Before
/// `counts_from_now`, the task counts as idle only while its routers wait during their start.
#[derive(Default)]
pub struct Idle {
    phase: Mutex<Phase>,
    /// Notified when a job slot is free, or never will be.
    given: Notify,
    /// Makes the pool look at its tasks again. Absent outside a pool, and for a task that keeps its
    /// slot.
    look: Option<Box<dyn Fn() + Send + Sync>>,
}

/// What the task does.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
enum Phase {
    /// It has its job slot.
    #[default]
    Works,
    /// Its routers start. That uses this share of a job slot.
    Starts(f64),
    /// Its routers are ready, and it waits for a job slot.
    IsReady,
    /// The pool ended before a job slot was free.
    Refused,
    /// It counts as idle while it waits; with the start of the wait.
    Counts(Option<Instant>),
}

impl Idle {
    /// What a task of a pool says of itself; `look` makes the pool look at it.
    pub(crate) fn of_pool(look: impl Fn() + Send + Sync + 'static) -> Self {
        Self { look: Some(Box::new(look)), ..Self::default() }
    }

    /// From now on until it asks for its slot again, the task uses a share: its routers start.
    pub(crate) fn starts(&self, share: f64) {
        if let Some(look) = self.look.as_ref().filter(|_| share < 1.0) {
            *self.lock() = Phase::Starts(share);
            look();
        }
    }

    /// Its routers are ready. Waits for a job slot if the task has given up its own. Returns
    /// whether the task may go on.
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

    /// From now on, the task counts as idle while it waits.
    pub(crate) fn counts_from_now(&self) {
        *self.lock() = Phase::Counts(None);
    }

    /// The task begins to wait for something to happen.
    pub(crate) fn begins(&self) {
        if let Phase::Counts(since) = &mut *self.lock() {
            *since = Some(Instant::now());
        }
    }

    /// The wait is over.
    pub(crate) fn ends(&self) {
        if let Phase::Counts(since) = &mut *self.lock() {
            *since = None;
        }
    }

    /// The share of its job slot that it uses. It is idle once it has waited for `length`.
    pub(crate) fn share(&self, length: Duration) -> f64 {
        match *self.lock() {
            Phase::Works => 1.0,
            Phase::Starts(share) => share,
            Phase::Counts(Some(since)) if since.elapsed() >= length => 0.0,
            Phase::Counts(_) => 1.0,
            Phase::IsReady | Phase::Refused => 0.0,
        }
    }

    /// Whether it waits for a job slot.
    pub(crate) fn is_ready(&self) -> bool {
        *self.lock() == Phase::IsReady
    }

    /// Gives it the job slot that it waits for, or says that it gets none.
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
