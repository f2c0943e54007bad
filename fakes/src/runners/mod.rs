//! Runners, the jobs that they ask for, and the leases by which they have them.
//!
//! The documents name two ways (*Should runners be shared across all cells?*) and choose none: the
//! plan of a fleet names its [`RunnerModel`](crate::RunnerModel). [`RunnerTables`] is what a store
//! must do; a [`Queue`] applies the [`LeaseRules`] to it. [`JournaledRunners`] stands above both,
//! and the journal has every access and what became of each job.

mod journaled;
mod leases;
mod memory;
mod queue;
mod tables;
#[cfg(test)]
mod tests;

pub use journaled::{JournaledRunners, RunnersOf};
pub use leases::{CorrectLeases, LeaseRules};
pub(crate) use memory::MemoryRunners;
pub use queue::{Queue, Taken};
pub use tables::RunnerTables;

pub(crate) use crate::rows::{Job, Runner, RunnerScope, Tables};
