//! Ids of rows: what they are, and how they are drawn.
//!
//! *Cells: Database Sequences* (document 003) names several strategies and chooses none. The plan
//! of a fleet names its [`IdStrategy`]; the strategy says what kind of [`Id`] a table's new rows
//! have, and which of them are unique on all cells. The journal has every allocation.
//!
//! An [`IdAllocator`] draws ids. It stands above [`IdCounters`], which a database server keeps as well
//! as memory does.

mod allocator;
mod by_plan;
mod cell_bits;
mod central;
mod control;
mod counters;
mod journaled;
mod plan;
mod ranges;
mod setup;
mod some_tables;
mod strategy;
#[cfg(test)]
mod tests;
mod uuids;

pub use allocator::{Drawn, IdAllocator};
pub use by_plan::allocator;
pub use cell_bits::cell_number_of;
pub use control::IdControl;
pub use control::IdDisturbance;
pub use counters::IdCounters;
pub(crate) use counters::MemoryCounters;
pub use journaled::JournaledIds;
pub use plan::{GREATEST_CELL_NUMBER, IdPlan, IdPlanError};
pub use setup::IdSetup;
pub use strategy::IdStrategy;
pub use uuids::new_uuid;

pub(crate) use crate::rows::{Id, IdTable};
