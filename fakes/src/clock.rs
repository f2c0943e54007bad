//! The clock of a fleet: that of the machine, and what a scenario adds to it.

use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// A clock that a scenario can advance, so that nothing has to wait for the end of a long time.
#[derive(Debug)]
pub(crate) struct FleetClock {
    started: Instant,
    ahead: Mutex<Duration>,
}

impl Default for FleetClock {
    fn default() -> Self {
        Self { started: Instant::now(), ahead: Mutex::default() }
    }
}

impl FleetClock {
    /// The time since the fleet started, with all that was added to it.
    pub(crate) fn now(&self) -> Duration {
        self.started.elapsed().saturating_add(*self.lock())
    }

    /// Adds to the time.
    pub(crate) fn advance(&self, by: Duration) {
        let mut ahead = self.lock();
        *ahead = ahead.saturating_add(by);
    }

    fn lock(&self) -> MutexGuard<'_, Duration> {
        // A duration is replaced in one go, so it is whole even after a panic.
        self.ahead.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_added_shows_at_once() {
        let clock = FleetClock::default();
        let before = clock.now();
        clock.advance(Duration::from_secs(3600));
        assert!(clock.now() >= before + Duration::from_secs(3600));
        assert!(clock.now() < before + Duration::from_secs(7200));
    }
}
