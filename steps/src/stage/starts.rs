//! How long the starts of routers take in a run.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The starts so far. Clones are the same one.
#[derive(Clone, Debug, Default)]
pub struct Starts(Arc<Mutex<StartsTotal>>);

/// The starts of a run together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct StartsTotal {
    /// How many routers became ready.
    pub number: u64,
    /// How long they took until they were ready, one after the other.
    pub took: Duration,
}

impl Starts {
    /// Adds the start of a router that took this long until the router was ready.
    pub(super) fn add(&self, took: Duration) {
        // A panic elsewhere leaves no figure half written.
        let mut total = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        total.number += 1;
        total.took += took;
    }

    /// All so far.
    pub fn total(&self) -> StartsTotal {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
