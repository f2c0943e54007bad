//! Unique ids for top-level rows alone (*Cells: Database Sequences* 3.4).

use async_trait::async_trait;

use super::allocator::{Drawn, IdAllocator, IdSetup};
use super::central::{Central, MemoryCentral};
use super::counters::Counters;
use super::id::Id;
use super::table::IdTable;
use crate::CellId;
use crate::database::StoreError;
use crate::mutants::Mutation;

/// One central counter for each table of top-level rows; a counter on each cell for the others.
#[derive(Debug)]
pub(super) struct SomeTables {
    central: MemoryCentral,
    local: Counters,
    setup: IdSetup,
}

impl SomeTables {
    pub(super) fn new(setup: &IdSetup) -> Self {
        let local = Counters::from(setup.plan.local_start);
        Self { central: MemoryCentral::new(setup), local, setup: setup.clone() }
    }
}

#[async_trait]
impl IdAllocator for SomeTables {
    async fn draw(&self, cell: &CellId, table: IdTable) -> Result<Drawn, StoreError> {
        if self.setup.has(Mutation::ProjectsCountedPerCell) && table == IdTable::Projects {
            let number = self.setup.first_free + self.local.next(cell, table);
            return Ok(Id::Number(number).into());
        }
        if table.is_top_level() {
            let one = self.central.advance(cell, table, 1).await?;
            return Ok(Id::Number(one.first).into());
        }
        let counting = if self.setup.has(Mutation::LocalIdsCountedTogether) {
            self.setup.topology.latest.clone()
        } else {
            cell.clone()
        };
        Ok(Id::Local(self.local.next(&counting, table)).into())
    }
}
