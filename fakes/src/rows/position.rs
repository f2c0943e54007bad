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

#[cfg(test)]
mod tests {
    use super::Position;

    #[test]
    fn positions_are_ordered_and_printed_and_survive_a_record() {
        let (earlier, later) = (Position::from(9), Position::from(10));
        assert!(Position::default() < earlier && earlier < later);
        assert_eq!(later.to_string(), "10");
        let json = serde_json::to_string(&later).unwrap();
        assert_eq!(serde_json::from_str::<Position>(&json).unwrap(), later);
    }
}
