//! Runners, the jobs that they ask for, and the leases by which they have them.
//!
//! The documents name two ways (*Should runners be shared across all cells?*) and choose none: the
//! plan of a fleet names its [`RunnerModel`](crate::RunnerModel). [`RunnerTables`] is what a store
//! must do; a [`Queue`] applies the [`LeaseRules`] to it. [`JournaledRunners`] stands above both,
//! and the journal has every access and what became of each job.

use std::fmt;

use async_trait::async_trait;

mod journaled;
mod leases;
mod memory;
mod queue;
#[cfg(test)]
mod tests;

pub use journaled::{JournaledRunners, RunnersOf};
pub use leases::{CorrectLeases, LeaseRules};
pub(crate) use memory::MemoryRunners;
pub use queue::{Queue, Taken};

use crate::rows::{Id, JobState, Stored};
pub(crate) use crate::rows::{Job, Runner, RunnerScope, Tables};

/// The tables of runners and jobs, which know nothing of when a lease ends. Each call is one
/// transaction.
#[async_trait]
pub trait RunnerTables: fmt::Debug + Send + Sync {
    async fn add_runner(
        &self,
        tables: &Tables,
        token: String,
        scope: RunnerScope,
    ) -> Stored<Runner>;
    async fn runner(&self, tables: &Tables, token: &str) -> Stored<Option<Runner>>;
    /// Adds a pending job at the end of the queue.
    async fn add_job(&self, tables: &Tables, project: String, project_id: Id) -> Stored<Job>;
    /// The jobs that are not done, in the order of the queue.
    async fn jobs(&self, tables: &Tables) -> Stored<Vec<(Job, JobState)>>;
    /// Puts a job into another state if it is still in the one that was seen; false where it is
    /// not. Of several calls at once that saw the same, one alone succeeds.
    async fn change(
        &self,
        tables: &Tables,
        job: u64,
        seen: &JobState,
        to: JobState,
    ) -> Stored<bool>;
    /// Removes all jobs of these projects.
    async fn remove_jobs(&self, tables: &Tables, projects: &[Id]) -> Stored<()>;
}
