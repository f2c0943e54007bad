//! Which cells are left out of cold picks for a while: those that let several requests in a row wait
//! until the timeout. A named cell is asked all the same; where every cell of the region is as slow,
//! each of them is asked.

use std::cell::Cell;
use std::time::{Duration, Instant};

/// After this many timeouts in a row a cell is left out of cold picks.
const SEVERAL: u32 = 3;

/// So long the cell is left out. Then one request more tells, since the count goes on.
const WHILE: Duration = Duration::from_secs(10);

/// What a cell's last requests came to.
#[derive(Debug, Default)]
pub(super) struct Health {
    timeouts: Cell<u32>,
    left_out: Cell<Option<Instant>>,
}

impl Health {
    /// The cell responded, or refused to: it costs no time.
    pub(super) fn responded(&self) {
        if self.timeouts.replace(0) > 0 {
            self.left_out.set(None);
        }
    }

    /// A request waited until its timeout; whether the cell is left out from here on.
    pub(super) fn timed_out(&self) -> bool {
        let timeouts = self.timeouts.get().saturating_add(1);
        self.timeouts.set(timeouts);
        if timeouts < SEVERAL {
            return false;
        }
        self.left_out.set(Some(Instant::now() + WHILE));
        true
    }

    /// Whether the cell is left out now.
    pub(super) fn is_left_out(&self) -> bool {
        self.left_out.get().is_some_and(|until| Instant::now() < until)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_timeouts_in_a_row_count() {
        let health = Health::default();
        assert!(!health.timed_out() && !health.timed_out());
        health.responded();
        assert!(!health.timed_out() && !health.timed_out() && !health.is_left_out());
        assert!(health.timed_out() && health.is_left_out());
        health.responded();
        assert!(!health.is_left_out());
    }
}
