//! The rules of leases: when a job is free, when a runner has it, and when its report comes too
//! late. They stand here alone, whatever store keeps the jobs.

use std::fmt;
use std::time::Duration;

use crate::rows::Lease;

/// The rules; each method is the correct one, unless it is overridden.
pub trait LeaseRules: fmt::Debug + Send + Sync {
    /// Whether the next runner that asks gets a job with this lease (RU-05, RU-06).
    fn is_free(&self, lease: &Lease, now: Duration) -> bool {
        lease.until <= now
    }

    /// Whether the runner that speaks by this token has the job.
    fn is_held(&self, lease: &Lease, token: &str, now: Duration) -> bool {
        lease.token == token && now < lease.until
    }

    /// Whether a report of the runner that speaks by this token ends the job (RU-06).
    fn ends(&self, lease: &Lease, token: &str, now: Duration) -> bool {
        self.is_held(lease, token, now)
    }

    /// Whether a runner loses its job at once when the job's organization freezes (MV-08).
    fn ends_at_freeze(&self) -> bool {
        true
    }

    /// Whether a move takes along the job that a runner has (MV-08).
    fn moves(&self) -> bool {
        true
    }
}

/// The rules of correct cells.
#[derive(Debug)]
pub struct CorrectLeases;

impl LeaseRules for CorrectLeases {}
