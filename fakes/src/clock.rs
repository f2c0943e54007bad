//! The clock of a fleet: what its cells take for the time.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::lock::Lock;

/// The time as all cells of a fleet have it. A scenario can put it forward, so that nothing has to
/// wait for the end of a long time. No two readings are equal, so that what came first is always
/// told from what came after.
#[derive(Debug, Default)]
pub struct FleetClock {
    state: Lock<State>,
}

#[derive(Clone, Copy, Debug, Default)]
struct State {
    forward: Duration,
    last: u64,
}

impl FleetClock {
    /// Milliseconds since 1970, later than every reading before.
    pub fn now(&self) -> u64 {
        let mut state = self.state.lock();
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let now = u64::try_from((since + state.forward).as_millis()).unwrap_or(u64::MAX);
        state.last = now.max(state.last.saturating_add(1));
        state.last
    }

    /// The time since 1970, later than every reading before.
    pub fn since_1970(&self) -> Duration {
        Duration::from_millis(self.now())
    }

    /// Puts the clock forward.
    pub fn advance(&self, by: Duration) {
        let mut state = self.state.lock();
        state.forward = state.forward.saturating_add(by);
    }
}
