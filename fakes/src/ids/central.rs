//! The central place that hands out ranges of ids (*Cells: Database Sequences* 3.3).

use std::sync::Arc;

use super::allocator::IdSetup;
use super::counters::IdCounters;
use crate::CellId;
use crate::mutants::Mutation;
use crate::rows::{IdRange, IdTable, StoreError};

/// A counter for each table, kept and advanced in one place, and the record of who got what.
#[derive(Debug)]
pub(super) struct Central {
    counters: Arc<dyn IdCounters>,
    setup: IdSetup,
}

impl Central {
    /// Counters that begin behind the numbers of the seed.
    pub(super) fn new(setup: &IdSetup, counters: Arc<dyn IdCounters>) -> Self {
        Self { counters, setup: setup.clone() }
    }

    /// Moves the counter of a table, and gives a cell the numbers that it passed.
    pub(super) async fn advance(
        &self,
        cell: &CellId,
        table: IdTable,
        size: u64,
    ) -> Result<IdRange, StoreError> {
        let (control, first) = (&self.setup.control, self.setup.first_free(table));
        if self.setup.has(Mutation::LateRangesFailInserts) && control.is_slow() {
            return Err(StoreError::planned("ids", "the range is late"));
        }
        control.reach().await?;
        let range = if self.setup.has(Mutation::CounterInEachCell) {
            let first = first + self.counters.count(cell, table, size).await?;
            IdRange { first, last: first + (size - 1) }
        } else {
            self.counters.hand_out(cell, table, first, size).await?
        };
        control.respond()?;
        Ok(range)
    }

    /// The cell that got a number.
    pub(super) async fn holder(
        &self,
        table: IdTable,
        number: u64,
    ) -> Result<Option<CellId>, StoreError> {
        self.counters.holder(table, number).await
    }
}
