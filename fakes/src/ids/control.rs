//! What a scenario does to the central place that hands out ids.

use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use crate::rows::StoreError;

/// The state of the central place, as a scenario changes it.
#[derive(Debug, Default)]
pub struct IdControl {
    state: Mutex<State>,
}

#[derive(Clone, Copy, Debug, Default)]
struct State {
    stopped: bool,
    delay: Duration,
    crashes: bool,
}

/// A change of the central place that hands out ids.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IdDisturbance {
    /// It refuses from now on.
    Stop,
    /// It works again, at once.
    Start,
    /// It takes this long for each answer.
    Slow(Duration),
    /// It crashes at the next request, after the counter has moved and before it answers; then it
    /// works again.
    Crash,
}

impl IdControl {
    /// Changes the central place.
    pub fn disturb(&self, disturbance: IdDisturbance) {
        let mut state = self.lock();
        match disturbance {
            IdDisturbance::Stop => state.stopped = true,
            IdDisturbance::Start => *state = State::default(),
            IdDisturbance::Slow(delay) => state.delay = delay,
            IdDisturbance::Crash => state.crashes = true,
        }
    }

    /// Whether the central place takes its time.
    pub fn is_slow(&self) -> bool {
        !self.lock().delay.is_zero()
    }

    /// Waits as long as the central place takes; fails where it is stopped.
    pub(super) async fn reach(&self) -> Result<(), StoreError> {
        let State { stopped, delay, .. } = *self.lock();
        if stopped {
            return Err(StoreError::planned("ids", "the allocator is stopped"));
        }
        if !delay.is_zero() {
            tokio::time::sleep(delay).await;
        }
        Ok(())
    }

    /// Fails where the central place crashes after the counter has moved.
    pub(super) fn respond(&self) -> Result<(), StoreError> {
        if std::mem::take(&mut self.lock().crashes) {
            let problem = "the allocator crashed after its counter had moved";
            return Err(StoreError::planned("ids", problem));
        }
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // The state is replaced in one go, so it is whole even after a panic.
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}
