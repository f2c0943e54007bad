//! Rules of leases that correct cells do not have.

use std::time::Duration;

use cell_fleet::store::{Lease, LeaseRules};

/// Gives a job that a runner has to the next one.
#[derive(Debug)]
pub(crate) struct NotKept;

impl LeaseRules for NotKept {
    fn is_free(&self, _lease: &Lease, _now: Duration) -> bool {
        true
    }
}

/// Never gives the job of a runner to another.
#[derive(Debug)]
pub(crate) struct NeverEnding;

impl LeaseRules for NeverEnding {
    fn is_free(&self, _lease: &Lease, _now: Duration) -> bool {
        false
    }
}

/// Lets any runner end a job, whoever has it now.
#[derive(Debug)]
pub(crate) struct Lenient;

impl LeaseRules for Lenient {
    fn ends(&self, _lease: &Lease, _token: &str, _now: Duration) -> bool {
        true
    }
}

/// Leaves a job with its runner through the freeze.
#[derive(Debug)]
pub(crate) struct OutlivesTheFreeze;

impl LeaseRules for OutlivesTheFreeze {
    fn ends_at_freeze(&self) -> bool {
        false
    }
}

/// Leaves a job with its runner through the freeze, and leaves it behind.
#[derive(Debug)]
pub(crate) struct LeftBehind;

impl LeaseRules for LeftBehind {
    fn ends_at_freeze(&self) -> bool {
        false
    }

    fn moves(&self) -> bool {
        false
    }
}
