//! Verdicts: what a case showed about a router.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::engine::record::LogRecord;
use crate::exchange::Comparison;
use crate::ledger::{Ledger, Level, RequirementId};
use crate::stage::machine;
use crate::trace::Trace;

/// A violated requirement, as a case found it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    pub requirement: RequirementId,
    /// The position, in the case's steps, of the step that found it. None where no step did: a
    /// router did not become ready, the scenario could not go on, or a cell got a request that
    /// nobody sent.
    pub step: Option<usize>,
    /// What was expected and what was observed.
    pub message: String,
    /// The bound on which it rests: something took longer, or had not come when a wait ended. None
    /// where it rests on what arrived: no stall of the machine explains that. Zero where it rests
    /// on how slow the machine was.
    pub rests_on: Option<Duration>,
}

/// Findings of a run of a case for which the machine may be to blame.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Stalled {
    /// The worst stall of the machine within that run, in milliseconds.
    pub stall_ms: u64,
    /// The bound on which the finding rests, in milliseconds; the shortest, if there are several
    /// findings.
    pub bound_ms: u64,
    /// What was found: the requirement, and the first line of the words.
    pub found: String,
}

impl fmt::Display for Stalled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { stall_ms, bound_ms, found } = self;
        if *bound_ms == 0 {
            return write!(f, "machine busy: {found}");
        }
        write!(
            f,
            "machine busy: it stalled for {stall_ms} ms, more than a quarter of the {bound_ms} ms \
             on which this rests: {found}"
        )
    }
}

impl Stalled {
    /// What was found in a run with this stall, the worst of it.
    fn explained(findings: &[Finding], stall: Duration) -> Option<Self> {
        let ms = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        let first = findings.iter().min_by_key(|finding| finding.rests_on)?;
        let words = first.message.lines().next().unwrap_or_default();
        Some(Self {
            stall_ms: ms(stall),
            bound_ms: ms(first.rests_on.unwrap_or_default()),
            found: format!("{}: {words}", first.requirement),
        })
    }
}

/// How a case ended: as [`OutcomeWord`] has it, with the reason.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    Passed,
    Warned,
    Failed,
    KnownFailure {
        /// The reason in the router file.
        reason: String,
        link: String,
    },
    NotApplicable(String),
    /// The router runs already, and nothing can bring it to what the case needs. Whether it would
    /// pass is left open.
    NotAsked(String),
    /// A precondition outside the router failed. The run is incomplete.
    CouldNotRun(String),
    NotRun(String),
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
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    pub(crate) fn was_run(self) -> bool {
        !matches!(self, Self::NotApplicable | Self::NotAsked | Self::NotRun)
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
    pub logs: Vec<LogRecord>,
    /// How a router failed to start; `None` if all routers of the case started.
    pub start_failure: Option<StartFailure>,
    /// The findings that are left out, since the machine stalled; where the others do not decide,
    /// the case could not run.
    pub stalled: Option<Stalled>,
    /// The findings that were left out of earlier runs of the case, which was run again because of
    /// them.
    pub earlier: Vec<Stalled>,
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
            stalled: None,
            earlier: Vec::new(),
        }
    }

    /// Whether the case has no verdict because the machine stalled.
    pub fn is_busy(&self) -> bool {
        self.stalled.is_some() && matches!(self.outcome, Outcome::CouldNotRun(_))
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

    /// Weighs findings by the levels of the ledger. Those that the worst stall of the machine
    /// explains are left out. If they would weigh more than the others, the case could not run.
    pub fn weigh(findings: Vec<Finding>, stall: Duration, ledger: &Ledger) -> Self {
        let weight = |findings: &[Finding]| match findings
            .iter()
            .map(|finding| ledger.level(&finding.requirement))
            .min()
        {
            None => Outcome::Passed,
            Some(Level::Must) => Outcome::Failed,
            Some(Level::Should | Level::May) => Outcome::Warned,
        };
        let all = weight(&findings);
        let (explained, findings): (Vec<_>, Vec<_>) = findings.into_iter().partition(|one| {
            one.rests_on.is_some_and(|bound| bound.is_zero() || machine::explains(stall, bound))
        });
        let stalled = Stalled::explained(&explained, stall);
        let outcome = match &stalled {
            Some(stalled) if weight(&findings) != all => {
                Outcome::CouldNotRun(format!("{stalled}{}", machine::pressure()))
            }
            _ => all,
        };
        Self { findings, stalled, ..Self::of(outcome) }
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
            rests_on: None,
        }
    }

    #[test]
    fn a_stall_explains_what_rests_on_time_and_nothing_that_arrived() {
        let ledger = Ledger::embedded();
        let timed = |id, ms| Finding { rests_on: Some(Duration::from_millis(ms)), ..finding(id) };
        let weigh = |findings: &[Finding], stall| {
            let stall = Duration::from_millis(stall);
            let Verdict { outcome, findings, stalled, .. } =
                Verdict::weigh(findings.to_vec(), stall, ledger);
            (outcome.word(), findings.len(), stalled.map(|it| (it.stall_ms, it.bound_ms)))
        };
        let (late, wrong) = (timed("Z-39", 5_000), finding("BF-03"));
        // Below a quarter of the bound it is a failure, above it nobody's.
        assert_eq!(weigh(std::slice::from_ref(&late), 1_250), (OutcomeWord::Failed, 1, None));
        let busy = (OutcomeWord::CouldNotRun, 0, Some((1_251, 5_000)));
        assert_eq!(weigh(std::slice::from_ref(&late), 1_251), busy);
        // What arrived stays, also with a late finding. It decides where it weighs as much.
        assert_eq!(weigh(std::slice::from_ref(&wrong), 60_000), (OutcomeWord::Failed, 1, None));
        let both = (OutcomeWord::Failed, 1, Some((2_000, 5_000)));
        assert_eq!(weigh(&[wrong, late.clone()], 2_000), both);
        let undecided = (OutcomeWord::CouldNotRun, 1, Some((2_000, 5_000)));
        assert_eq!(weigh(&[finding("Z-03"), late], 2_000), undecided);
        let shortest = [timed("Z-16", 8_000), timed("Z-16", 4_000)];
        assert_eq!(weigh(&shortest, 3_000), (OutcomeWord::CouldNotRun, 0, Some((3_000, 4_000))));
    }
}
