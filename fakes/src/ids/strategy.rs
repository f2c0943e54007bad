//! The strategies by which new ids stay unique on all cells.

use std::fmt;
use std::sync::Arc;

use super::allocator::{CellBits, IdAllocator};
use crate::CellId;
use crate::database::StoreError;

/// How the cells of a fleet draw the ids of new rows.
///
/// The documents choose no strategy; the default is this fleet's choice.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum IdStrategy {
    /// The most significant bits of a number name the cell that drew it (*Cells: Database
    /// Sequences* 3.2).
    #[default]
    CellBits,
}

impl IdStrategy {
    /// The strategy by name: `cell-bits`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::CellBits => "cell-bits",
        }
    }

    /// An allocator of these cells that keeps its counters in memory.
    pub(crate) fn in_memory(self, cells: &[CellId]) -> Result<Arc<dyn IdAllocator>, StoreError> {
        match self {
            Self::CellBits => Ok(Arc::new(CellBits::new(cells)?)),
        }
    }
}

impl fmt::Display for IdStrategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
