//! The seam between cells and the tables of runners and jobs: what a store must do.

use std::collections::BTreeSet;
use std::fmt;
use std::time::Duration;

use async_trait::async_trait;

use crate::rows::{Id, Job, Lease, Runner, RunnerScope, StoreError, Tables, Taken};

/// The tables of runners and jobs. Each call is one transaction.
#[async_trait]
pub trait RunnerTables: fmt::Debug + Send + Sync {
    /// Adds a runner.
    async fn add_runner(
        &self,
        tables: &Tables,
        token: String,
        scope: RunnerScope,
    ) -> Result<Runner, StoreError>;
    /// The runner with a token.
    async fn runner(&self, tables: &Tables, token: &str) -> Result<Option<Runner>, StoreError>;
    /// Adds a job at the end of the queue.
    async fn add_job(
        &self,
        tables: &Tables,
        project: String,
        project_id: Id,
    ) -> Result<Job, StoreError>;
    /// Gives the first job of the queue to a runner that no other has at this time. Of runners
    /// that ask at once, one gets it. The jobs of some projects, by their paths, are left out.
    async fn take(
        &self,
        tables: &Tables,
        scope: &RunnerScope,
        except: &BTreeSet<String>,
        now: Duration,
        lease: Lease,
    ) -> Result<Option<Taken>, StoreError>;
    /// Lets a lease end later; false where it has ended, or the token is not that of the job.
    async fn renew(
        &self,
        tables: &Tables,
        job: u64,
        token: &str,
        now: Duration,
        until: Duration,
    ) -> Result<bool, StoreError>;
    /// Ends a job; false where the lease has ended, or the token is not that of the job.
    async fn finish(
        &self,
        tables: &Tables,
        job: u64,
        token: &str,
        now: Duration,
    ) -> Result<bool, StoreError>;
    /// Ends the leases of these projects' jobs at once, and returns the jobs with the runners that
    /// had them.
    async fn give_back(
        &self,
        tables: &Tables,
        projects: &[Id],
    ) -> Result<Vec<(u64, u64)>, StoreError>;
    /// The jobs of these projects that have not ended, in the order of the queue.
    async fn unfinished(&self, tables: &Tables, projects: &[Id]) -> Result<Vec<Job>, StoreError>;
    /// Removes all jobs of these projects.
    async fn remove_jobs(&self, tables: &Tables, projects: &[Id]) -> Result<(), StoreError>;
}
