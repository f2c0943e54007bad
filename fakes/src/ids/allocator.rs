//! What an allocator does, whatever its strategy.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;

use super::cell_bits::CellBits;
use super::control::IdControl;
use super::counters::{IdCounters, MemoryCounters};
use super::plan::IdPlan;
use super::ranges::Ranges;
use super::some_tables::SomeTables;
use super::strategy::IdStrategy;
use super::uuids::Uuids;
use crate::mutants::Mutation;
use crate::rows::{Id, IdRange, IdTable, StoreError};
use crate::{CellId, Topology};

/// Draws ids by one strategy. Cells are named by their roles.
#[async_trait]
pub trait IdAllocator: fmt::Debug + Send + Sync {
    /// Draws the id of a new row on a cell.
    async fn draw(&self, cell: &CellId, table: IdTable) -> Result<Drawn, StoreError>;

    /// The cell that drew an id, where the strategy can tell. The row may have moved since.
    async fn drawn_by(&self, _table: IdTable, _id: &Id) -> Result<Option<CellId>, StoreError> {
        Ok(None)
    }

    /// Waits until nothing is under way that a draw has begun.
    async fn settle(&self) {}

    /// Begins a cell's counters anew, as no sound allocator does.
    async fn forget(&self, _cell: &CellId) -> Result<(), StoreError> {
        Ok(())
    }
}

/// An id that was drawn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Drawn {
    /// The id.
    pub id: Id,
    /// The number beside a UUID.
    pub number: Option<u64>,
    /// The range that the id is from.
    pub range: Option<IdRange>,
    /// How long the draw waited for a range.
    pub waited: Duration,
}

impl From<Id> for Drawn {
    fn from(id: Id) -> Self {
        Self { id, number: None, range: None, waited: Duration::ZERO }
    }
}

/// What an allocator needs to know.
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
    /// The mistake that the allocator makes; `None` for a sound one.
    pub mistake: Option<Mutation>,
}

impl IdSetup {
    /// An allocator of the plan's strategy that keeps its counters in memory.
    pub fn in_memory(&self) -> Arc<dyn IdAllocator> {
        self.counting_in(Arc::new(MemoryCounters::default()))
    }

    /// An allocator of the plan's strategy above these counters.
    pub fn counting_in(&self, counters: Arc<dyn IdCounters>) -> Arc<dyn IdAllocator> {
        match self.plan.strategy {
            IdStrategy::Uuid => Arc::new(Uuids::new(self, counters)),
            IdStrategy::CellBits => Arc::new(CellBits::new(self, counters)),
            IdStrategy::Ranges => Arc::new(Ranges::new(self, counters)),
            IdStrategy::SomeTables => Arc::new(SomeTables::new(self, counters)),
        }
    }

    /// The first number of a table that no row of the seed has.
    pub fn first_free(&self, table: IdTable) -> u64 {
        if self.has(Mutation::RangesBeginAbove32Bits) {
            return 1 << 32;
        }
        self.greatest.get(&table).map_or(1, |greatest| greatest + 1)
    }

    /// Whether the allocator makes this mistake.
    pub fn has(&self, mistake: Mutation) -> bool {
        self.mistake == Some(mistake)
    }
}
