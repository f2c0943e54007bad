//! Positions in the log of the shared databases.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A position in the log of the shared databases' primary.
///
/// Opaque: a later write of the same store has a greater position, and nothing else follows from
/// it. Positions of different stores do not compare. Every log sequence number of 64 bits fits.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize,
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Position(u64);

impl From<u64> for Position {
    fn from(number: u64) -> Self {
        Self(number)
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
