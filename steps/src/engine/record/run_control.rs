//! What ended a run early, and how often flaky scenarios failed.

use crate::stage::StopReason;
use serde::{Deserialize, Serialize};

/// Why a run ended before it had run all its scenarios.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct IncompleteRecord {
    /// What ended it.
    pub ended_by: EndedBy,
    /// In words; the last start error of the router, with the end of its log, stands here.
    pub reason: String,
    /// How many of the selected scenarios were not run.
    pub not_run: usize,
}

/// What ends a run early.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum EndedBy {
    /// As many scenarios failed as `--fail-fast` allows.
    Failures,
    /// The router did not start several times in a row.
    StartFailures,
    /// Ctrl-C.
    Interrupt,
    /// SIGTERM.
    Termination,
    /// SIGHUP: the terminal was closed.
    Hangup,
    /// The reader of standard output or standard error has left.
    ClosedOutput,
}

impl From<StopReason> for EndedBy {
    fn from(reason: StopReason) -> Self {
        match reason {
            StopReason::Interrupted => Self::Interrupt,
            StopReason::Terminated => Self::Termination,
            StopReason::HungUp => Self::Hangup,
            StopReason::OutputClosed => Self::ClosedOutput,
        }
    }
}

/// How often the scenarios of a flaky known failure passed and failed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FlakyRecord {
    /// The scenario of the entry: a name without its protocol, or a pattern with `*`.
    pub scenario: String,
    /// The reason of the entry.
    pub reason: String,
    /// How many of its scenarios failed.
    pub failed: usize,
    /// How many of its scenarios passed.
    pub passed: usize,
}
