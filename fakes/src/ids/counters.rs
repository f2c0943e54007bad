//! Counters of tables on cells, as a sequence of each cell's own database has them.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard};

use super::table::IdTable;
use crate::CellId;

/// A counter for each table on each cell.
#[derive(Debug)]
pub(super) struct Counters {
    first: u64,
    next: Mutex<BTreeMap<(CellId, IdTable), u64>>,
}

impl Counters {
    /// Counters that begin with this number.
    pub(super) fn from(first: u64) -> Self {
        Self { first, next: Mutex::default() }
    }

    /// The next number of a table on a cell.
    pub(super) fn next(&self, cell: &CellId, table: IdTable) -> u64 {
        let mut counters = self.lock();
        let next = counters.entry((cell.clone(), table)).or_insert(self.first);
        *next += 1;
        *next - 1
    }

    /// Begins the counters of a cell anew.
    pub(super) fn forget(&self, cell: &CellId) {
        self.lock().retain(|(of, _), _| of != cell);
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<(CellId, IdTable), u64>> {
        // A counter is one number, which is whole even after a panic.
        self.next.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}
