//! Unique ids for top-level rows alone (*Cells: Database Sequences* 3.4).

use std::sync::Arc;

use async_trait::async_trait;

use super::allocator::{Drawn, IdAllocator};
use super::central::Central;
use super::counters::IdCounters;
use super::setup::IdSetup;
use crate::CellId;
use crate::rows::{Id, IdTable, StoreError};

/// One central counter for each table of top-level rows; a counter on each cell for the others.
#[derive(Debug)]
pub(super) struct SomeTables {
    central: Central,
    local: Arc<dyn IdCounters>,
    start: u64,
}

impl SomeTables {
    pub(super) fn new(setup: &IdSetup, counters: Arc<dyn IdCounters>) -> Self {
        Self {
            central: Central::new(setup, counters.clone()),
            local: counters,
            start: setup.plan.local_start,
        }
    }

    /// The next number of a table that counts on a cell.
    async fn next_local(&self, cell: &CellId, table: IdTable) -> Result<u64, StoreError> {
        Ok(self.start + self.local.count(cell, table, 1).await?)
    }
}

#[async_trait]
impl IdAllocator for SomeTables {
    async fn draw(&self, cell: &CellId, table: IdTable) -> Result<Drawn, StoreError> {
        if table.is_top_level() {
            let one = self.central.advance(cell, table, 1).await?;
            return Ok(Id::Number(one.first).into());
        }
        Ok(Id::Local(self.next_local(cell, table).await?).into())
    }
}
