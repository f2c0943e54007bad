//! The central place that hands out ranges of ids (*Cells: Database Sequences* 3.3).

use std::sync::Arc;

use super::allocator::{IdRange, IdSetup};
use super::control::IdControl;
use super::counters::IdCounters;
use super::table::IdTable;
use crate::CellId;
use crate::database::StoreError;
use crate::mutants::Mutation;

/// A counter for each table, kept and advanced in one place, and the record of who got what.
#[derive(Debug)]
pub(super) struct Central {
    counters: Arc<dyn IdCounters>,
    first: u64,
    control: Arc<IdControl>,
    mistake: Option<Mutation>,
}

impl Central {
    /// Counters that begin behind the numbers of the seed.
    pub(super) fn new(setup: &IdSetup, counters: Arc<dyn IdCounters>) -> Self {
        let (control, mistake) = (setup.control.clone(), setup.mistake);
        Self { counters, first: setup.first_free, control, mistake }
    }

    /// Moves the counter of a table, and gives a cell the numbers that it passed.
    pub(super) async fn advance(
        &self,
        cell: &CellId,
        table: IdTable,
        size: u64,
    ) -> Result<IdRange, StoreError> {
        self.control.reach().await?;
        let range = if self.mistake == Some(Mutation::CounterInEachCell) {
            let first = self.first + self.counters.count(cell, table, size).await?;
            IdRange { first, last: first + (size - 1) }
        } else {
            self.counters.hand_out(cell, table, self.first, size).await?
        };
        self.control.respond()?;
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
