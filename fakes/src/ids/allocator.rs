//! What an allocator does, whatever its strategy.

use std::fmt;
use std::time::Duration;

use async_trait::async_trait;

use crate::CellId;
use crate::rows::{Id, IdRange, IdTable, StoreError};

/// Draws ids by one strategy. Cells are named by their roles.
#[async_trait]
pub trait IdAllocator: fmt::Debug + Send + Sync {
    /// Draws the id of a new row on a cell.
    async fn draw(&self, cell: &CellId, table: IdTable) -> Result<Drawn, StoreError>;

    /// The cell that drew an id, where the strategy can tell. The row may have moved since.
    async fn drawn_by(&self, _table: IdTable, _id: &Id) -> Result<Option<CellId>, StoreError> {
        Ok(None)
    }

    /// Waits until all work that draws have started is done, such as a request for the next range.
    async fn settle(&self) {}
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Drawn {
    pub id: Id,
    /// The number next to a UUID.
    pub number: Option<u64>,
    pub range: Option<IdRange>,
    /// How long the draw waited for a range.
    pub waited: Duration,
}

impl From<Id> for Drawn {
    fn from(id: Id) -> Self {
        Self { id, number: None, range: None, waited: Duration::ZERO }
    }
}
