//! Counters of ids with a mistake.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use cell_fleet::store::{IdControl, IdCounters};
use cell_fleet::{CellId, IdRange, IdTable, StoreError};

/// Hands out no range if the allocator is slow.
#[derive(Debug)]
pub(super) struct Impatient {
    pub(super) counters: Arc<dyn IdCounters>,
    pub(super) control: Arc<IdControl>,
}

#[async_trait]
impl IdCounters for Impatient {
    async fn count(&self, cell: &CellId, table: IdTable, by: u64) -> Result<u64, StoreError> {
        self.counters.count(cell, table, by).await
    }

    async fn hand_out(
        &self,
        cell: &CellId,
        table: IdTable,
        first: u64,
        size: u64,
    ) -> Result<IdRange, StoreError> {
        if self.control.is_slow() {
            return Err(StoreError::planned("ids", "the range is late"));
        }
        self.counters.hand_out(cell, table, first, size).await
    }

    async fn holder(&self, table: IdTable, number: u64) -> Result<Option<CellId>, StoreError> {
        self.counters.holder(table, number).await
    }
}

/// Counts ranges on each cell by itself.
#[derive(Debug)]
pub(super) struct OnEachCell(pub(super) Arc<dyn IdCounters>);

#[async_trait]
impl IdCounters for OnEachCell {
    async fn count(&self, cell: &CellId, table: IdTable, by: u64) -> Result<u64, StoreError> {
        self.0.count(cell, table, by).await
    }

    async fn hand_out(
        &self,
        cell: &CellId,
        table: IdTable,
        first: u64,
        size: u64,
    ) -> Result<IdRange, StoreError> {
        let first = first + self.0.count(cell, table, size).await?;
        Ok(IdRange { first, last: first + (size - 1) })
    }

    async fn holder(&self, table: IdTable, number: u64) -> Result<Option<CellId>, StoreError> {
        self.0.holder(table, number).await
    }
}

/// Begins the counters of a cell again when it is told to.
#[derive(Debug)]
pub(super) struct Forgetful {
    counters: Arc<dyn IdCounters>,
    /// Where the counters were when they were to begin again.
    passed: Mutex<BTreeMap<(CellId, IdTable), u64>>,
}

impl Forgetful {
    pub(super) fn new(counters: Arc<dyn IdCounters>) -> Self {
        Self { counters, passed: Mutex::default() }
    }

    /// Begins the counters of a cell again.
    pub(super) async fn forget(&self, cell: &CellId) -> Result<(), StoreError> {
        for table in IdTable::ALL {
            let at = self.counters.count(cell, table, 0).await?;
            let mut passed = self.passed.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            passed.insert((cell.clone(), table), at);
        }
        Ok(())
    }
}

#[async_trait]
impl IdCounters for Forgetful {
    async fn count(&self, cell: &CellId, table: IdTable, by: u64) -> Result<u64, StoreError> {
        let at = self.counters.count(cell, table, by).await?;
        let passed = self.passed.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        Ok(at - passed.get(&(cell.clone(), table)).copied().unwrap_or(0))
    }

    async fn hand_out(
        &self,
        cell: &CellId,
        table: IdTable,
        first: u64,
        size: u64,
    ) -> Result<IdRange, StoreError> {
        self.counters.hand_out(cell, table, first, size).await
    }

    async fn holder(&self, table: IdTable, number: u64) -> Result<Option<CellId>, StoreError> {
        self.counters.holder(table, number).await
    }
}
