//! The allocator that a plan asks for.

use std::sync::Arc;

use super::allocator::IdAllocator;
use super::cell_bits::CellBits;
use super::counters::IdCounters;
use super::ranges::Ranges;
use super::setup::IdSetup;
use super::some_tables::SomeTables;
use super::strategy::IdStrategy;
use super::uuids::Uuids;

/// An allocator of the plan's strategy above these counters.
pub fn allocator(setup: &IdSetup, counters: Arc<dyn IdCounters>) -> Arc<dyn IdAllocator> {
    match setup.plan.strategy {
        IdStrategy::Uuid => Arc::new(Uuids::new(counters)),
        IdStrategy::CellBits => Arc::new(CellBits::new(setup, counters)),
        IdStrategy::Ranges => Arc::new(Ranges::new(setup, counters)),
        IdStrategy::SomeTables => Arc::new(SomeTables::new(setup, counters)),
    }
}
