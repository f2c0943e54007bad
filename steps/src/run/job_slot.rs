//! The job slot of a task. A task that only waits gives its slot to another one.

use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

/// How long a task may wait before its slot goes to another task. The suite waits less for most
/// responses, while the router works, and for a router that starts quickly.
pub(crate) const WAITING: Duration = Duration::from_millis(8);

/// Whether a task of a pool holds a job slot. A task that says nothing of itself holds one.
#[derive(Default)]
pub struct JobSlot {
    state: Mutex<SlotState>,
    /// Notified when a slot is granted, or never will be.
    granted: Notify,
    /// Makes the pool look at its tasks again. Absent outside a pool.
    look: Option<Box<dyn Fn() + Send + Sync>>,
}

/// What the task does.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
enum SlotState {
    /// It holds its slot, whether it waits or not.
    #[default]
    Keeps,
    /// Its routers start, since this time.
    Starts(Instant),
    /// Its routers are ready, and it waits for a slot.
    IsReady,
    /// The pool ended before a slot was free.
    Refused,
    Works,
    /// It waits for something to happen, since this time.
    Waits(Instant),
}

impl JobSlot {
    /// The slot of a task of a pool; `look` makes the pool look at its tasks.
    pub(crate) fn in_pool(look: impl Fn() + Send + Sync + 'static) -> Self {
        Self { look: Some(Box::new(look)), ..Self::default() }
    }

    /// The routers of the task start. From now on it gives its slot away while it waits.
    pub(crate) fn routers_start(&self) {
        if self.look.is_some() {
            *self.lock() = SlotState::Starts(Instant::now());
        }
    }

    /// The routers of the task are ready. Waits for a slot if the start was so long that its own is
    /// gone. Returns whether the task may go on.
    pub(crate) async fn acquire(&self) -> bool {
        {
            let mut state = self.lock();
            match *state {
                SlotState::Starts(since) if since.elapsed() >= WAITING => {
                    *state = SlotState::IsReady
                }
                SlotState::Starts(_) => {
                    *state = SlotState::Works;
                    return true;
                }
                _ => return true,
            }
        }
        if let Some(look) = &self.look {
            look();
        }
        self.granted.notified().await;
        *self.lock() != SlotState::Refused
    }

    /// The task begins to wait for something to happen.
    pub(crate) fn parked(&self) {
        let mut state = self.lock();
        if *state == SlotState::Works {
            *state = SlotState::Waits(Instant::now());
        }
    }

    /// The wait is over. The task does not ask for its slot again.
    pub(crate) fn unparked(&self) {
        let mut state = self.lock();
        if matches!(*state, SlotState::Waits(_)) {
            *state = SlotState::Works;
        }
    }

    /// Whether the task holds its slot now.
    pub(crate) fn is_held(&self) -> bool {
        match *self.lock() {
            SlotState::Keeps | SlotState::Works => true,
            SlotState::Starts(since) | SlotState::Waits(since) => since.elapsed() < WAITING,
            SlotState::IsReady | SlotState::Refused => false,
        }
    }

    /// Whether the task waits for a slot.
    pub(crate) fn is_wanted(&self) -> bool {
        *self.lock() == SlotState::IsReady
    }

    /// Gives the task the slot that it waits for.
    pub(crate) fn grant(&self) {
        *self.lock() = SlotState::Works;
        self.granted.notify_one();
    }

    /// Says that the task gets no slot any more.
    pub(crate) fn refuse(&self) {
        *self.lock() = SlotState::Refused;
        self.granted.notify_one();
    }

    /// A panic elsewhere leaves no state half written.
    fn lock(&self) -> MutexGuard<'_, SlotState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for JobSlot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("JobSlot").field(&*self.lock()).finish()
    }
}
