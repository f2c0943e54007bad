//! The seam between cells and the tables of runners and jobs: what a store must do.

use std::collections::BTreeSet;
use std::fmt;
use std::time::Duration;

use async_trait::async_trait;

use crate::CellId;
use crate::database::StoreError;
use crate::ids::Id;

/// Whose tables: those that all cells share, or those of one cell.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Tables {
    Shared,
    /// The cell by its role.
    Of(CellId),
}

impl Tables {
    /// The schema that has them.
    pub(crate) fn schema(&self) -> &'static str {
        match self {
            Self::Shared => "gitlab_runners",
            Self::Of(_) => "gitlab_ci",
        }
    }
}

/// The jobs that a runner may run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum RunnerScope {
    /// All.
    Instance,
    /// The jobs of all projects of the group with this path.
    Group(String),
    /// The jobs of the project with this full path.
    Project(String),
}

impl RunnerScope {
    /// Whether a runner of this scope may run the jobs of a project.
    pub(crate) fn covers(&self, project: &str) -> bool {
        match self {
            Self::Instance => true,
            Self::Group(group) => {
                project.strip_prefix(group.as_str()).is_some_and(|rest| rest.starts_with('/'))
            }
            Self::Project(path) => path == project,
        }
    }
}

/// A row of `ci_runners`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Runner {
    /// Unique within its tables.
    pub(crate) id: u64,
    pub(crate) token: String,
    pub(crate) scope: RunnerScope,
}

/// A row of `ci_pending_builds`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Job {
    /// Unique within its tables.
    pub(crate) id: u64,
    /// The full path of its project.
    pub(crate) project: String,
    pub(crate) project_id: Id,
}

/// What a runner has of a job.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Lease {
    pub(crate) runner: u64,
    /// The token by which the runner speaks of the job.
    pub(crate) token: String,
    /// When it ends, by the clock of the fleet.
    pub(crate) until: Duration,
}

/// A job that was given to a runner.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Taken {
    pub(crate) job: Job,
    /// The runner whose lease of it has ended.
    pub(crate) before: Option<u64>,
}

/// The tables of runners and jobs. Each call is one transaction.
#[async_trait]
pub(crate) trait RunnerTables: fmt::Debug + Send + Sync {
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
