//! Runners, the jobs that they ask for, and the leases by which they have them.
//!
//! The documents name two ways (*Should runners be shared across all cells?*) and choose none: the
//! plan of a fleet names its [`RunnerModel`]. [`RunnerTables`] is what a store must do;
//! [`JournaledRunners`] stands above it, and the journal has every access and what became of each
//! job.

mod journaled;
mod memory;
mod plan;
mod tables;
#[cfg(test)]
mod tests;

pub use journaled::JournaledRunners;
#[cfg(feature = "stores")]
pub(crate) use memory::LOOKING;
pub(crate) use memory::MemoryRunners;
pub use plan::{RunnerModel, RunnerPlan, RunnerPlanError};
pub use tables::RunnerTables;

pub(crate) use crate::rows::{Job, Runner, RunnerScope, Tables};
