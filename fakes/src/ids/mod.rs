//! Ids of rows: what they are, and how they are drawn.
//!
//! *Cells: Database Sequences* (document 003) names several strategies and chooses none. The plan
//! of a fleet names its [`IdStrategy`]; the strategy says what kind of [`Id`] a table's new rows
//! have, and which of them are unique on all cells. The journal has every allocation.
//!
//! An [`IdAllocator`] draws ids. It stands above [`IdCounters`], which a database server keeps as well
//! as memory does.

mod counters;
mod strategies;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;

use crate::journal::{Event, IdAllocation, Journal};
use crate::plan::{IdPlan, IdStrategy};
use crate::rows::{IdRange, StoreError, Stored};
use crate::{CellId, Topology};
use strategies::{CellBits, Ranges, SomeTables, Uuids};

pub(crate) use counters::MemoryCounters;
pub use counters::{IdControl, IdCounters, IdDisturbance};
pub use strategies::{cell_number_of, new_uuid};

pub(crate) use crate::rows::{Id, IdTable};

/// Draws ids by one strategy. Cells are named by their roles.
#[async_trait]
pub trait IdAllocator: fmt::Debug + Send + Sync {
    /// Draws the id of a new row on a cell.
    async fn draw(&self, cell: &CellId, table: IdTable) -> Stored<Drawn>;

    /// The cell that drew an id, where the strategy can tell. The row may have moved since.
    async fn drawn_by(&self, _table: IdTable, _id: &Id) -> Stored<Option<CellId>> {
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

#[derive(Clone, Debug)]
pub struct IdSetup {
    /// What the plan of the fleet says.
    pub plan: IdPlan,
    /// The cells.
    pub topology: Topology,
    /// The greatest number of each table that has rows in the seed.
    pub greatest: BTreeMap<IdTable, u64>,
    /// What a scenario does to the central place.
    pub control: Arc<IdControl>,
}

impl IdSetup {
    /// The first number of a table that no row of the seed has.
    pub fn first_free(&self, table: IdTable) -> u64 {
        self.greatest.get(&table).map_or(1, |greatest| greatest + 1)
    }
}

/// An allocator of the plan's strategy above these counters.
pub fn allocator(setup: &IdSetup, counters: Arc<dyn IdCounters>) -> Arc<dyn IdAllocator> {
    match setup.plan.strategy {
        IdStrategy::Uuid => Arc::new(Uuids::new(counters)),
        IdStrategy::CellBits => Arc::new(CellBits::new(setup, counters)),
        IdStrategy::Ranges => Arc::new(Ranges::new(setup, counters)),
        IdStrategy::SomeTables => Arc::new(SomeTables::new(setup, counters)),
    }
}

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
    pub async fn draw(&self, node: &CellId, role: &CellId, table: IdTable) -> Stored<Drawn> {
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
    pub async fn drawn_by(&self, node: &CellId, table: IdTable, id: &Id) -> Stored<Option<CellId>> {
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
