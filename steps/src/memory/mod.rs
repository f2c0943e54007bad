//! A router's memory while large bodies pass and while it learns many prefixes (Z-20, Z-25, CA-10).
//!
//! It runs beside the suite, since it takes gigabytes and minutes: bodies of a gigabyte down and
//! up, and a hundred thousand paths, each under a prefix of its own.

mod learn;
mod transfer;
mod upload;
mod watch;

use cell_fleet::Protocol;

use crate::engine::Conclusion;
use crate::engine::measurement::NotMeasured;
use crate::stage::Launch;

use learn::learn;
use transfer::transfer;
use watch::{MemoryWatch, resident};
pub(crate) use watch::{processes_of, resident_of};

/// What is measured.
#[derive(Clone, Copy, Debug)]
pub struct Load {
    /// The protocol.
    pub protocol: Protocol,
    /// Bytes of a body.
    pub bytes: u64,
    /// Number of paths to learn, each under a prefix of its own.
    pub prefixes: u64,
    /// The router's `max_entries` setting.
    pub max_entries: u64,
}

/// Memory in bytes before, during and after a load.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Used {
    /// Before.
    pub before: u64,
    /// The highest value in between.
    pub peak: u64,
    /// After.
    pub after: u64,
}

impl Used {
    /// By how much the peak exceeds the value before.
    pub fn growth(&self) -> u64 {
        self.peak.saturating_sub(self.before)
    }
}

/// One measurement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Measured {
    /// The load in words.
    pub what: String,
    /// The memory.
    pub used: Used,
    /// By how much it may grow, in bytes.
    pub allowed: u64,
    /// Failures of the load itself; the first few, in words.
    pub failures: Vec<String>,
    /// What the router did instead of what was asked, and may do.
    pub note: Option<String>,
}

impl Measured {
    /// Whether the memory stayed within its bound and the load passed without a failure.
    pub fn holds(&self) -> bool {
        self.used.growth() <= self.allowed && self.failures.is_empty()
    }

    /// The conclusion of some measurements.
    pub(crate) fn conclusion(all: &[Self]) -> Conclusion {
        if all.iter().all(Self::holds) { Conclusion::Conformant } else { Conclusion::NotConformant }
    }
}

/// Makes all measurements one after the other, each with a router of its own.
///
/// # Errors
///
/// Where the fleet or the router cannot be started, or memory cannot be measured here.
pub(crate) async fn measure(load: Load, launch: &Launch) -> Result<Vec<Measured>, NotMeasured> {
    let mut all = transfer(load, launch).await?;
    all.push(learn(load, launch).await?);
    Ok(all)
}
