//! Ids that carry the number of their cell (*Cells: Database Sequences* 3.2).

use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;

use super::allocator::{Drawn, IdAllocator};
use super::counters::IdCounters;
use super::setup::IdSetup;
use crate::CellId;
use crate::rows::{Id, IdTable, StoreError};

/// The bits of an id that count. The ten above them are the cell's number; the sign bit stays free,
/// so that an id fits into a signed number of 64 bits.
const COUNTING_BITS: u32 = 53;

/// The number of the cell that an id names.
pub fn cell_number_of(id: u64) -> u64 {
    id >> COUNTING_BITS
}

/// Numbers of 64 bits: a bit that is 0, ten bits for the cell's number, and 53 bits that count, for
/// each table of the cell by itself.
///
/// The rows that are older than the strategy have ids below 2^53, as if cell 0 had drawn them.
#[derive(Debug)]
pub(super) struct CellBits {
    numbers: BTreeMap<CellId, u64>,
    counters: Arc<dyn IdCounters>,
    setup: IdSetup,
}

impl CellBits {
    /// The allocator of a plan that has been checked.
    pub(super) fn new(setup: &IdSetup, counters: Arc<dyn IdCounters>) -> Self {
        let numbers = setup.plan.numbers(&setup.topology);
        Self { numbers, counters, setup: setup.clone() }
    }

    /// The first number of a table that a cell counts.
    fn start(&self, number: u64, table: IdTable) -> u64 {
        if number == 0 { self.setup.first_free(table) } else { 1 }
    }
}

#[async_trait]
impl IdAllocator for CellBits {
    async fn draw(&self, cell: &CellId, table: IdTable) -> Result<Drawn, StoreError> {
        let unknown = || StoreError::new("ids", format!("{cell} is not in the topology"));
        let number = *self.numbers.get(cell).ok_or_else(unknown)?;
        let count = self.start(number, table) + self.counters.count(cell, table, 1).await?;
        if count >> COUNTING_BITS > 0 {
            let problem = format!("{cell} has used up the ids of {table}");
            return Err(StoreError::new("ids", problem));
        }
        Ok(Id::Number(number << COUNTING_BITS | count).into())
    }

    async fn drawn_by(&self, _table: IdTable, id: &Id) -> Result<Option<CellId>, StoreError> {
        let Id::Number(id) = id else { return Ok(None) };
        let named = cell_number_of(*id);
        let found = self.numbers.iter().find(|(_, number)| **number == named);
        Ok(found.map(|(cell, _)| cell.clone()))
    }
}
