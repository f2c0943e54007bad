//! What memory a router needs while large bodies pass and while it learns many prefixes (Z-20,
//! Z-25, CA-10).
//!
//! Beside the suite, since it takes gigabytes and minutes: bodies of a gigabyte down and up, and a
//! hundred thousand places under different prefixes.

mod learn;
mod transfer;
mod watch;

use cell_fleet::Protocol;

use crate::stage::Launch;

pub use learn::learn;
pub use transfer::transfer;
pub use watch::{Watch, resident};

/// What is measured.
#[derive(Clone, Copy, Debug)]
pub struct Load {
    /// The protocol.
    pub protocol: Protocol,
    /// Bytes of a body.
    pub bytes: u64,
    /// Places under different prefixes.
    pub prefixes: u64,
    /// The router's `max_entries`.
    pub max_entries: u64,
}

/// Memory before, at most while, and after something happened, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Used {
    /// Before.
    pub before: u64,
    /// The highest in the meantime.
    pub peak: u64,
    /// Afterwards.
    pub after: u64,
}

impl Used {
    /// How far the peak lay above what was used before.
    pub fn growth(&self) -> u64 {
        self.peak.saturating_sub(self.before)
    }
}

/// One measurement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Measured {
    /// What happened, in words.
    pub what: String,
    /// The memory.
    pub used: Used,
    /// By how much it may grow.
    pub allowed: u64,
    /// What went wrong with the transfer itself.
    pub faults: Vec<String>,
}

impl Measured {
    /// Whether the memory stayed within its bound and all went well.
    pub fn holds(&self) -> bool {
        self.used.growth() <= self.allowed && self.faults.is_empty()
    }
}

/// Everything, one after the other, each with a router of its own.
///
/// # Errors
///
/// Where the fleet or the router could not be started, or memory cannot be measured here.
pub async fn measure(load: Load, launch: &Launch) -> Result<Vec<Measured>, String> {
    let mut all = transfer(load, launch).await?;
    all.push(learn(load, launch).await?);
    Ok(all)
}
