//! The central place that hands out ranges of ids (*Cells: Database Sequences* 3.3).

use std::sync::Arc;

use super::counters::IdCounters;
use super::setup::IdSetup;
use crate::CellId;
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
        control.reach().await?;
        let range = self.counters.hand_out(cell, table, first, size).await?;
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
