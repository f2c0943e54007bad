//! The limits of all waits of the suite, in one place.
//!
//! Each wait is for an event, and each limit is an upper bound that a correct router meets on a
//! loaded machine.

use std::time::Duration;

/// A router that gets little of the machine is given this many times the limit of its start.
const LONGEST_START: u32 = 6;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Waits {
    /// Until a started router accepts a connection (`start_timeout`; the contract). The time in which
    /// the machine kept it from its start does not count.
    pub ready: Duration,
    /// Between two attempts to connect while a router starts.
    pub ready_poll: Duration,
    /// Until a router has exited after SIGTERM; then it is killed.
    pub stop: Duration,
    /// Until the response to a user's request has come.
    pub response: Duration,
    /// Until an expected entry appears in the journal.
    pub journal: Duration,
    /// Added to the time to live of an entry, before the entry counts as expired.
    pub ttl_margin: Duration,
    /// Without a new byte, until a transfer counts as stalled.
    pub still: Duration,
    /// Until a transfer begins that may never begin.
    pub flow: Duration,
}

impl Default for Waits {
    fn default() -> Self {
        Self {
            ready: Duration::from_secs(10),
            ready_poll: Duration::from_micros(500),
            stop: Duration::from_secs(5),
            response: Duration::from_secs(20),
            journal: Duration::from_secs(10),
            ttl_margin: Duration::from_millis(150),
            still: Duration::from_millis(300),
            flow: Duration::from_secs(2),
        }
    }
}

impl Waits {
    /// The longest that a router is waited for, on a machine that keeps it from its start.
    pub(crate) fn longest_start(&self) -> Duration {
        self.ready.saturating_mul(LONGEST_START)
    }

    /// Shorter limits for mutants, many of which never do what is waited for.
    pub fn impatient() -> Self {
        Self {
            ready: Duration::from_secs(3),
            stop: Duration::from_secs(1),
            response: Duration::from_secs(8),
            journal: Duration::from_secs(2),
            ..Self::default()
        }
    }
}
