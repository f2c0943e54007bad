//! The counters behind ids, and where they are kept: what a store must do.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Mutex, MutexGuard};

use async_trait::async_trait;

use crate::CellId;
use crate::rows::{IdRange, IdTable, StoreError};

/// The counters of tables: those of each cell by itself, and those of the installation with the
/// record of who got what. Each call is one transaction.
#[async_trait]
pub trait IdCounters: fmt::Debug + Send + Sync {
    /// Adds `by` to the counter of a table on one cell, and returns its value before. It begins
    /// at 0.
    async fn count(&self, cell: &CellId, table: IdTable, by: u64) -> Result<u64, StoreError>;

    /// Moves the installation's counter of a table, which begins at `first`, and writes down that
    /// a cell has the numbers that it passed.
    async fn hand_out(
        &self,
        cell: &CellId,
        table: IdTable,
        first: u64,
        size: u64,
    ) -> Result<IdRange, StoreError>;

    /// The cell that got a number from the installation's counter.
    async fn holder(&self, table: IdTable, number: u64) -> Result<Option<CellId>, StoreError>;
}

/// The counters in memory, which end with the fleet.
#[derive(Debug, Default)]
pub(crate) struct MemoryCounters {
    lock_cells: Mutex<BTreeMap<(CellId, IdTable), u64>>,
    shared: Mutex<BTreeMap<IdTable, Shared>>,
}

#[derive(Debug)]
struct Shared {
    next: u64,
    /// The ranges that were given, by their first number.
    given: BTreeMap<u64, (IdRange, CellId)>,
}

impl MemoryCounters {
    fn lock_cells(&self) -> MutexGuard<'_, BTreeMap<(CellId, IdTable), u64>> {
        // A counter is one number, which is whole even after a panic.
        self.lock_cells.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn shared(&self) -> MutexGuard<'_, BTreeMap<IdTable, Shared>> {
        // The record is entered in one insertion after the counter, so a panic loses a range at
        // most.
        self.shared.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

#[async_trait]
impl IdCounters for MemoryCounters {
    async fn count(&self, cell: &CellId, table: IdTable, by: u64) -> Result<u64, StoreError> {
        let mut counters = self.lock_cells();
        let counter = counters.entry((cell.clone(), table)).or_default();
        let was = *counter;
        *counter += by;
        Ok(was)
    }

    async fn hand_out(
        &self,
        cell: &CellId,
        table: IdTable,
        first: u64,
        size: u64,
    ) -> Result<IdRange, StoreError> {
        let mut tables = self.shared();
        let counter =
            tables.entry(table).or_insert_with(|| Shared { next: first, given: BTreeMap::new() });
        let range = IdRange { first: counter.next, last: counter.next + (size - 1) };
        counter.next += size;
        counter.given.insert(range.first, (range, cell.clone()));
        Ok(range)
    }

    async fn holder(&self, table: IdTable, number: u64) -> Result<Option<CellId>, StoreError> {
        let tables = self.shared();
        let given = tables.get(&table).and_then(|of| of.given.range(..=number).next_back());
        let holding = given.filter(|(_, (range, _))| range.contains(number));
        Ok(holding.map(|(_, (_, cell))| cell.clone()))
    }
}
