//! Ids of rows: what they are, and how they are drawn.
//!
//! *Cells: Database Sequences* (document 003) names several strategies and chooses none. The plan
//! of a fleet names its [`IdStrategy`]; the strategy says what kind of [`Id`] a table's new rows
//! have, and keeps ids unique on all cells. The journal has every allocation.

mod allocator;
mod id;
mod journaled;
mod strategy;
mod table;

pub(crate) use allocator::IdAllocator;
pub use id::{Id, InvalidId};
pub(crate) use journaled::JournaledIds;
pub use strategy::IdStrategy;
pub use table::IdTable;
