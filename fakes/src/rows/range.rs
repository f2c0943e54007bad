//! A range of ids, as the record of ranges has it.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Consecutive numbers that one cell got for one table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct IdRange {
    /// The first number.
    pub first: u64,
    /// The last number.
    pub last: u64,
}

impl IdRange {
    /// Whether the range has a number.
    pub fn contains(&self, number: u64) -> bool {
        (self.first..=self.last).contains(&number)
    }

    /// Whether both have a number in common.
    pub fn overlaps(&self, other: &Self) -> bool {
        self.first <= other.last && other.first <= self.last
    }
}

impl fmt::Display for IdRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} to {}", self.first, self.last)
    }
}
