//! The rows of runners and jobs.

use std::time::Duration;

use super::id::Id;
use crate::CellId;

/// Whose tables: those that all cells share, or those of one cell.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Tables {
    Shared,
    /// The cell by its role.
    Of(CellId),
}

impl Tables {
    pub fn schema(&self) -> &'static str {
        match self {
            Self::Shared => "gitlab_runners",
            Self::Of(_) => "gitlab_ci",
        }
    }
}

/// The jobs that a runner may run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RunnerScope {
    Instance,
    /// The jobs of all projects of the group with this path.
    Group(String),
    /// The jobs of the project with this full path.
    Project(String),
}

impl RunnerScope {
    /// Whether a runner of this scope may run the jobs of a project.
    pub fn covers(&self, project: &str) -> bool {
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
pub struct Runner {
    /// Unique within its tables.
    pub id: u64,
    pub token: String,
    pub scope: RunnerScope,
}

/// A row of `ci_pending_builds`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Job {
    /// Unique within its tables.
    pub id: u64,
    /// The full path of its project.
    pub project: String,
    pub project_id: Id,
}

/// What a runner has of a job.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lease {
    pub runner: u64,
    /// The token by which the runner speaks of the job.
    pub token: String,
    /// When it ends, by the clock of the fleet.
    pub until: Duration,
}

/// What has become of a job.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum JobState {
    /// No runner has had it, or the last one has given it back.
    Pending,
    /// The last runner that got it; its lease may have ended.
    Given(Lease),
    Done,
}
