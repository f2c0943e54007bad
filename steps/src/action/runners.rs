//! Runners register, ask for jobs and report about them.

use cell_fleet::CellId;
use serde::{Deserialize, Serialize};

use super::words::spelled;

/// What a runner does.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum RunnerAction {
    /// It registers at a cell, below the path prefix of that cell.
    Register {
        /// The cell.
        #[serde(with = "spelled")]
        #[cfg_attr(test, schemars(with = "String"))]
        cell: CellId,
        /// Whose jobs it may run.
        scope: Scope,
    },
    /// It registers without a prefix: the token that it has alone names the cell.
    RegisterByToken {
        /// The cell.
        #[serde(with = "spelled")]
        #[cfg_attr(test, schemars(with = "String"))]
        cell: CellId,
    },
    /// It asks for a job with each of its registrations, where the response to each told it to.
    Ask,
    /// It asks for a job with each of its registrations, without a prefix.
    AskByToken,
    /// It says that its last job is still running.
    Running,
    /// It says that its last job has ended.
    Done,
}

/// Whose jobs a runner may run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// The jobs of all projects.
    Instance,
    /// The jobs of the projects of a group.
    Group(String),
    /// The jobs of a project.
    Project(String),
}

/// Something about jobs happens.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum JobAction {
    /// Jobs of a project are queued.
    Queue {
        /// Path of the project.
        project: String,
        /// How many jobs.
        jobs: u64,
    },
}
