//! What a record says of a run as a whole: what ended it early, how long starts took, and which
//! failures the router file lists.

use cell_fleet::Protocol;
use serde::{Deserialize, Serialize};

use crate::catalog::{glob, without_protocol};
use crate::engine::counted;
use crate::stage::StopReason;

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

/// How long the starts of the router took.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct StartsRecord {
    /// How many there were.
    pub number: u64,
    /// How long they took until the router was ready, one after the other, in milliseconds.
    pub took_ms: u64,
}

impl StartsRecord {
    /// Starts in words: `612 starts of the router, 313 ms each, while others start`.
    pub fn words(&self) -> String {
        let starts = counted(self.number, "start");
        format!("{starts} of the router, {} ms each, while others start", self.mean_ms())
    }

    /// Both together.
    pub(crate) fn and(self, other: Self) -> Self {
        Self { number: self.number + other.number, took_ms: self.took_ms + other.took_ms }
    }

    /// How long one took on average, in milliseconds.
    pub(crate) fn mean_ms(&self) -> u64 {
        self.took_ms / self.number.max(1)
    }

    /// Those since; `None` where there was none.
    pub(crate) fn since(self, before: Self) -> Option<Self> {
        let (number, took_ms) = (self.number - before.number, self.took_ms - before.took_ms);
        (number > 0).then_some(Self { number, took_ms })
    }
}

/// A scenario that is known not to pass.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct KnownFailure {
    /// The scenario's name without its protocol, or a pattern with `*`.
    pub scenario: String,
    /// The protocol, if it fails under one alone.
    #[serde(default)]
    protocol: Option<Protocol>,
    /// Why, for the readers of a report.
    pub reason: String,
    /// Where to read more: an issue, or a reproduction. Empty where there is nothing yet.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub link: String,
    /// Whether it passes at times. The reason says on what that depends.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub flaky: bool,
}

impl KnownFailure {
    /// Whether it matches the scenario of this name, under this protocol.
    pub(crate) fn matches(&self, name: &str, protocol: Protocol) -> bool {
        let is_named = [without_protocol(name), name].iter().any(|name| glob(&self.scenario, name));
        is_named && self.protocol.is_none_or(|only| only == protocol)
    }
}
