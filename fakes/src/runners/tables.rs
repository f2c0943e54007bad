//! The seam between cells and the tables of runners and jobs: what a store must do. It keeps the
//! state of each job, and knows nothing of when a lease ends.

use std::fmt;

use async_trait::async_trait;

use crate::rows::{Id, Job, JobState, Runner, RunnerScope, Stored, Tables};

/// The tables of runners and jobs. Each call is one transaction.
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
