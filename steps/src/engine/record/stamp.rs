//! When something happened, and at which cell, in a report.

use std::time::Duration;

use cell_fleet::{CellId, Stamp};
use serde::{Deserialize, Serialize};

/// Whole milliseconds.
pub fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// A place in the order, and the time.
///
/// In JSON, these two numbers in a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(from = "(u64, u64)", into = "(u64, u64)")]
pub struct StampData {
    /// Ascending over the whole scenario.
    pub sequence: u64,
    /// Microseconds since the scenario's fleet was started.
    pub at_us: u64,
}

impl From<(u64, u64)> for StampData {
    fn from((sequence, at_us): (u64, u64)) -> Self {
        Self { sequence, at_us }
    }
}

impl From<StampData> for (u64, u64) {
    fn from(StampData { sequence, at_us }: StampData) -> Self {
        (sequence, at_us)
    }
}

impl From<Stamp> for StampData {
    fn from(stamp: Stamp) -> Self {
        Self {
            sequence: stamp.sequence,
            at_us: u64::try_from(stamp.at.as_micros()).unwrap_or(u64::MAX),
        }
    }
}

impl From<StampData> for Stamp {
    fn from(data: StampData) -> Self {
        Self { sequence: data.sequence, at: Duration::from_micros(data.at_us) }
    }
}

/// The cell of this id.
pub(super) fn cell(id: &str) -> Result<CellId, String> {
    id.parse().map_err(|error| format!("{error}"))
}
