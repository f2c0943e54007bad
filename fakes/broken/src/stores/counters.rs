//! Counters of ids with a mistake.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use cell_fleet::store::{IdControl, IdCounters, OpenStores, OwnDatabases};
use cell_fleet::{CellId, IdRange, IdStrategy, IdTable, StoreError};

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

/// Stores that give the ids of a cell again when rows have left it.
pub(crate) fn ids_given_again(stores: OpenStores, ids: IdStrategy) -> OpenStores {
    if ids != IdStrategy::CellBits {
        return stores;
    }
    let (counters, own) = (stores.counters, stores.own.clone());
    let counters = Arc::new(Forgetful { counters, own, seen: Mutex::default() });
    OpenStores { counters, ..stores }
}

/// Begins a counter of a cell again where the cell has fewer namespaces than when it last drew.
#[derive(Debug)]
struct Forgetful {
    counters: Arc<dyn IdCounters>,
    own: Arc<dyn OwnDatabases>,
    seen: Mutex<BTreeMap<(CellId, IdTable), Seen>>,
}

/// What a counter was like when the cell last drew.
#[derive(Debug, Default)]
struct Seen {
    namespaces: usize,
    /// Where it began again.
    begun: u64,
}

#[async_trait]
impl IdCounters for Forgetful {
    async fn count(&self, cell: &CellId, table: IdTable, by: u64) -> Result<u64, StoreError> {
        let namespaces = self.own.namespaces(cell).await?.len();
        let at = self.counters.count(cell, table, by).await?;
        let mut all = self.seen.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let seen = all.entry((cell.clone(), table)).or_default();
        if namespaces < seen.namespaces {
            seen.begun = at;
        }
        seen.namespaces = namespaces;
        Ok(at - seen.begun)
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
