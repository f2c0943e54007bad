//! The journal's record of every id that is drawn.

use std::sync::Arc;

use super::allocator::IdAllocator;
use super::id::Id;
use super::table::IdTable;
use crate::CellId;
use crate::database::StoreError;
use crate::journal::{Event, IdAllocation, Journal, StoreFailure};

/// An allocator whose draws and failures stand in the journal.
#[derive(Clone, Debug)]
pub(crate) struct JournaledIds {
    allocator: Arc<dyn IdAllocator>,
    journal: Arc<Journal>,
}

impl JournaledIds {
    pub(crate) fn new(allocator: Arc<dyn IdAllocator>, journal: Arc<Journal>) -> Self {
        Self { allocator, journal }
    }

    /// Draws the id of a new row for the cell that is `node` in the topology and plays `role`.
    pub(crate) async fn draw(
        &self,
        node: &CellId,
        role: &CellId,
        table: IdTable,
    ) -> Result<Id, StoreError> {
        let drawn = self.allocator.draw(role, table).await;
        let cell = node.clone();
        self.journal.append(match &drawn {
            Ok(id) => Event::IdAllocated(IdAllocation { cell, table, id: *id }),
            Err(error) => Event::StoreFailed(StoreFailure {
                cell: Some(cell),
                access: format!("drawing an id of {}.{table}", table.schema()),
                error: error.clone(),
            }),
        });
        drawn
    }
}
