//! Every wait of the suite, named in one place.
//!
//! None of them decides a verdict by being too short for a correct router on a loaded machine: each
//! is an upper bound, and what is waited for is an event.

use std::time::Duration;

/// How long the suite waits for what.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Waits {
    /// Until a router that was started accepts a connection (the contract's limit).
    pub ready: Duration,
    /// Between two attempts to connect while a router starts.
    pub ready_poll: Duration,
    /// Until a router has ended after SIGTERM; then it is killed.
    pub stop: Duration,
    /// Until a user's request has been answered.
    pub response: Duration,
    /// Until something that was caused has shown at a cell.
    pub journal: Duration,
    /// Beyond an entry's time to live, before it is taken to have ended.
    pub ttl_margin: Duration,
    /// Without a change, until a flow of bytes is taken to stand still.
    pub still: Duration,
    /// Until a flow of bytes has begun that may never begin.
    pub flow: Duration,
    /// Until a user who waits to be asked for a body sends it all the same (RFC 9110 10.1.1).
    pub asked: Duration,
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
            asked: Duration::from_secs(1),
        }
    }
}

impl Waits {
    /// For routers that are known to be broken: many of them never do what is waited for.
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
