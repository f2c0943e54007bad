//! The journal's record of every id that is drawn.

use std::sync::Arc;

use super::allocator::{Drawn, IdAllocator};
use crate::CellId;
use crate::journal::{Event, IdAllocation, Journal};
use crate::rows::{Id, IdTable, StoreError};

/// An allocator whose draws and failures stand in the journal.
#[derive(Clone, Debug)]
pub struct JournaledIds {
    allocator: Arc<dyn IdAllocator>,
    journal: Arc<Journal>,
}

impl JournaledIds {
    /// The draws of this allocator, entered into this journal.
    pub fn new(allocator: Arc<dyn IdAllocator>, journal: Arc<Journal>) -> Self {
        Self { allocator, journal }
    }

    /// Draws the id of a new row for the cell that is `node` in the topology and plays `role`.
    pub async fn draw(
        &self,
        node: &CellId,
        role: &CellId,
        table: IdTable,
    ) -> Result<Drawn, StoreError> {
        let drawn = self.allocator.draw(role, table).await;
        match &drawn {
            Ok(drawn) => {
                let Drawn { id, range, waited, .. } = drawn.clone();
                let cell = node.clone();
                let allocation = IdAllocation { cell, table, id, range, waited };
                self.journal.append(Event::IdAllocated(allocation));
            }
            Err(error) => self.failed(node, table, error),
        }
        drawn
    }

    /// The cell that drew an id, where the strategy can tell.
    pub async fn drawn_by(
        &self,
        node: &CellId,
        table: IdTable,
        id: &Id,
    ) -> Result<Option<CellId>, StoreError> {
        let found = self.allocator.drawn_by(table, id).await;
        found.inspect_err(|error| self.failed(node, table, error))
    }

    /// Waits until all work that draws have started is done.
    pub async fn settle(&self) {
        self.allocator.settle().await;
    }

    fn failed(&self, node: &CellId, table: IdTable, error: &StoreError) {
        // What a scenario has planned is no failure of the fleet.
        if !error.is_planned() {
            let access = format!("drawing an id of {}.{table}", table.schema());
            self.journal.store_failed(Some(node), access, error);
        }
    }
}
