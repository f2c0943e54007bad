//! The strategies by which new ids stay unique on all cells.

use std::fmt;
use std::str::FromStr;

/// How the cells of a fleet draw the ids of new rows.
///
/// The documents choose no strategy; the default is this fleet's choice.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum IdStrategy {
    /// Rows are identified by a UUID beside a number that counts on each cell (*Cells: Database
    /// Sequences* 3.1).
    Uuid,
    /// The most significant bits of a number name the cell that drew it (*Cells: Database
    /// Sequences* 3.2).
    #[default]
    CellBits,
    /// A central place hands out ranges of numbers to the cells (*Cells: Database Sequences* 3.3).
    Ranges,
    /// Only top-level rows have unique ids; the others count on each cell (*Cells: Database
    /// Sequences* 3.4).
    SomeTables,
}

impl IdStrategy {
    /// All strategies, in the order of the document.
    pub const ALL: [Self; 4] = [Self::Uuid, Self::CellBits, Self::Ranges, Self::SomeTables];

    /// The strategy by name: `uuid`, `cell-bits`, `ranges` or `some-tables`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Uuid => "uuid",
            Self::CellBits => "cell-bits",
            Self::Ranges => "ranges",
            Self::SomeTables => "some-tables",
        }
    }
}

impl fmt::Display for IdStrategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for IdStrategy {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|strategy| strategy.as_str() == text).ok_or_else(|| {
            let names = Self::ALL.map(Self::as_str).join(", ");
            format!("`{text}` is not a strategy for ids; name one of {names}")
        })
    }
}
