//! Verdicts: what a case showed about a router.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::exchange::Comparison;
use crate::ledger::{Ledger, Level, RequirementId};
use crate::trace::Trace;

/// A violated requirement, as a case found it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The requirement.
    pub requirement: RequirementId,
    /// The position, in the case's steps, of the step that found it. None where no step did: a
    /// router did not become ready, the scenario could not go on, or a cell got a request that
    /// nobody sent.
    pub step: Option<usize>,
    /// What was expected and what was observed.
    pub message: String,
    /// The expected and the observed exchange, if the step compared exchanges.
    pub comparison: Option<Comparison>,
}

/// How a case ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// All checks hold.
    Passed,
    /// Only requirements at SHOULD or MAY are violated.
    Warned,
    /// A requirement at MUST is violated.
    Failed,
    /// The case did not pass, and the router file lists it.
    KnownFailure {
        /// The reason in the router file.
        reason: String,
        /// A link to more about it.
        link: String,
    },
    /// The router does not claim what the case is about.
    NotApplicable(String),
    /// The router runs already, and nothing can bring it to what the case needs. Whether it would
    /// pass is left open.
    NotAsked(String),
    /// A precondition outside the router failed. The run is incomplete.
    CouldNotRun(String),
    /// The run ended before the case did.
    NotRun(String),
    /// The suite itself is at fault.
    SuiteError(String),
}

impl Outcome {
    /// The word of the outcome in reports.
    pub fn word(&self) -> OutcomeWord {
        match self {
            Self::Passed => OutcomeWord::Passed,
            Self::Warned => OutcomeWord::Warned,
            Self::Failed => OutcomeWord::Failed,
            Self::KnownFailure { .. } => OutcomeWord::KnownFailure,
            Self::NotApplicable(_) => OutcomeWord::NotApplicable,
            Self::NotAsked(_) => OutcomeWord::NotAsked,
            Self::CouldNotRun(_) => OutcomeWord::CouldNotRun,
            Self::NotRun(_) => OutcomeWord::NotRun,
            Self::SuiteError(_) => OutcomeWord::SuiteError,
        }
    }
}

/// The word of an outcome in reports. The order is that of the words, so that maps by outcome have
/// it in JSON.
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Debug,
    Serialize,
    Deserialize,
    strum::Display,
    strum::IntoStaticStr,
)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum OutcomeWord {
    /// A precondition outside the router failed.
    #[serde(rename = "could not run")]
    #[strum(serialize = "could not run")]
    CouldNotRun,
    /// A requirement at MUST is violated.
    Failed,
    /// The case did not pass, and the router file lists it.
    #[serde(rename = "known failure")]
    #[strum(serialize = "known failure")]
    KnownFailure,
    /// The router does not claim what the case is about.
    #[serde(rename = "not applicable")]
    #[strum(serialize = "not applicable")]
    NotApplicable,
    /// Nothing can bring the running router to what the case needs.
    #[serde(rename = "not asked")]
    #[strum(serialize = "not asked")]
    NotAsked,
    /// The run ended before the case did.
    #[serde(rename = "not run")]
    #[strum(serialize = "not run")]
    NotRun,
    /// All checks hold.
    Passed,
    /// The suite itself is at fault.
    #[serde(rename = "suite error")]
    #[strum(serialize = "suite error")]
    SuiteError,
    /// Only requirements at SHOULD or MAY are violated.
    Warned,
}

impl OutcomeWord {
    /// The word.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// How a router failed to start. A run that sees this several times in a row need not go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StartFailure {
    /// The command could not be started.
    NoProcess,
    /// The process ended before it accepted a connection.
    Ended,
    /// The process accepted no connection within the limit.
    NotReady,
    /// A running router accepted no connection.
    Unreachable,
    /// The reset command of a running router failed.
    NotReset,
}

/// The result of one case.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// The outcome.
    pub outcome: Outcome,
    /// The routers that died, the findings of its checks in the order of its steps, then why it
    /// could not continue.
    pub findings: Vec<Finding>,
    /// The exchanges that were compared, each with the position of the step that draws it. Where no
    /// step draws one: the observed exchange alone.
    pub exchanges: Vec<(Option<usize>, Comparison)>,
    /// What happened; None if the stage did not start.
    pub trace: Option<Arc<Trace>>,
    /// The ends of the routers' logs.
    pub logs: Vec<(String, String)>,
    /// How a router failed to start; `None` if all routers of the case started.
    pub start_failure: Option<StartFailure>,
}

impl Verdict {
    /// A verdict without findings.
    pub fn of(outcome: Outcome) -> Self {
        Self {
            outcome,
            findings: Vec::new(),
            exchanges: Vec::new(),
            trace: None,
            logs: Vec::new(),
            start_failure: None,
        }
    }

    /// Why a router did not start, in words; `None` if all routers of the case started.
    pub fn start_error(&self) -> Option<&str> {
        self.start_failure?;
        Some(match (self.findings.first(), &self.outcome) {
            (Some(finding), _) => &finding.message,
            (None, Outcome::CouldNotRun(why) | Outcome::SuiteError(why)) => why,
            (None, _) => "",
        })
    }

    /// Weighs findings by the levels of the ledger.
    pub fn weigh(findings: Vec<Finding>, ledger: &Ledger) -> Self {
        let level = |finding: &Finding| ledger.level(&finding.requirement);
        let outcome = match findings.iter().map(level).min() {
            None => Outcome::Passed,
            Some(Level::Must) => Outcome::Failed,
            Some(Level::Should | Level::May) => Outcome::Warned,
        };
        Self { findings, ..Self::of(outcome) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(id: &str) -> Finding {
        Finding {
            requirement: id.parse().unwrap(),
            step: None,
            message: String::new(),
            comparison: None,
        }
    }

    #[test]
    fn the_strongest_violated_level_decides() {
        let ledger = Ledger::embedded();
        let outcome = |ids: &[&str]| {
            Verdict::weigh(ids.iter().copied().map(finding).collect(), ledger).outcome
        };
        assert_eq!(outcome(&[]), Outcome::Passed);
        assert_eq!(outcome(&["Z-03"]), Outcome::Warned);
        assert_eq!(outcome(&["Z-03", "BF-03"]), Outcome::Failed);
    }
}
