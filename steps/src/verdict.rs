//! Verdicts: what a case showed about a router.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::catalog::Case;
use crate::engine::record::LogRecord;
use crate::exchange::Comparison;
use crate::ledger::{Ledger, Level, RequirementId};
use crate::stage::machine;
use crate::trace::{Trace, milliseconds};

/// A violated requirement.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Finding {
    /// Its id.
    pub requirement: RequirementId,
    /// Its level.
    pub level: Level,
    /// The step that found it, as it stands in the scenario; empty if no step did.
    pub step: String,
    /// Its index in `steps`. Without one, the router did not become ready, the scenario could not
    /// go on, or it was found in what every request shows.
    pub step_index: Option<usize>,
    /// What was expected and what was observed, in words.
    pub message: String,
}

/// A finding with the bound on which it rests: something took longer, or had not come when a wait
/// ended. None where it rests on what arrived: no stall of the machine explains that. Zero where it
/// rests on how slow the machine was.
pub(crate) type Rested = (Finding, Option<Duration>);

impl Finding {
    /// A finding that no step made.
    pub(crate) fn new(requirement: RequirementId, message: String, ledger: &Ledger) -> Self {
        let level = ledger.level(&requirement);
        Self { requirement, level, step: String::new(), step_index: None, message }
    }

    /// The same, made by the step at this position of a case.
    pub(crate) fn at(self, case: &Case, step: usize) -> Self {
        Self { step: case.step_text(step), step_index: Some(step), ..self }
    }
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
    fn explained(findings: &[Rested], stall: Duration) -> Option<Self> {
        let (first, bound) = findings.iter().min_by_key(|(_, rests_on)| rests_on)?;
        let words = first.message.lines().next().unwrap_or_default();
        Some(Self {
            stall_ms: milliseconds(stall),
            bound_ms: milliseconds(bound.unwrap_or_default()),
            found: format!("{}: {words}", first.requirement),
        })
    }
}

/// How a scenario ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Outcome {
    /// `passed`, `warned`, `failed`, `known failure`, `not applicable`, `not asked`,
    /// `could not run`, `not run` or `suite error`.
    pub word: OutcomeWord,
    /// Why, for the outcomes that need a reason.
    pub reason: Option<String>,
    /// Where to read more about a known failure.
    pub link: Option<String>,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.reason {
            Some(_) => write!(f, "{}: {}", self.word, self.why()),
            None => self.word.fmt(f),
        }
    }
}

impl Outcome {
    /// The reason; empty if there is none.
    pub fn reason(&self) -> &str {
        self.reason.as_deref().unwrap_or_default()
    }

    /// The reason, with where to read more.
    pub fn why(&self) -> String {
        let link = self.link.as_ref().map(|link| format!(" ({link})"));
        format!("{}{}", self.reason(), link.unwrap_or_default())
    }
}

impl From<OutcomeWord> for Outcome {
    fn from(word: OutcomeWord) -> Self {
        Self { word, reason: None, link: None }
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

    /// What follows from findings: the strongest decides.
    pub(crate) fn of<'a>(findings: impl IntoIterator<Item = &'a Finding>) -> Self {
        match findings.into_iter().map(|finding| finding.level).min() {
            None => Self::Passed,
            Some(Level::Must) => Self::Failed,
            Some(Level::Should | Level::May) => Self::Warned,
        }
    }

    /// The outcome with its reason.
    pub fn because(self, why: impl Into<String>) -> Outcome {
        Outcome { reason: Some(why.into()), ..self.into() }
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
    pub fn of(outcome: impl Into<Outcome>) -> Self {
        Self {
            outcome: outcome.into(),
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
        self.stalled.is_some() && self.outcome.word == OutcomeWord::CouldNotRun
    }

    /// Why a router did not start, in words; `None` if all routers of the case started.
    pub fn start_error(&self) -> Option<&str> {
        self.start_failure?;
        Some(self.findings.first().map_or(self.outcome.reason(), |finding| &finding.message))
    }

    /// Weighs findings by their levels. Those that the worst stall of the machine explains are left
    /// out. If they would weigh more than the others, the case could not run.
    pub(crate) fn weigh(found: Vec<Rested>, stall: Duration) -> Self {
        let all = OutcomeWord::of(found.iter().map(|(finding, _)| finding));
        let (explained, found): (Vec<_>, Vec<_>) = found.into_iter().partition(|(_, rests_on)| {
            rests_on.is_some_and(|bound| bound.is_zero() || machine::explains(stall, bound))
        });
        let findings: Vec<_> = found.into_iter().map(|(finding, _)| finding).collect();
        let stalled = Stalled::explained(&explained, stall);
        let outcome = match &stalled {
            Some(stalled) if OutcomeWord::of(&findings) != all => {
                OutcomeWord::CouldNotRun.because(format!("{stalled}{}", machine::pressure()))
            }
            _ => all.into(),
        };
        Self { findings, stalled, ..Self::of(outcome) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(id: &str) -> Rested {
        (Finding::new(id.parse().unwrap(), String::new(), Ledger::embedded()), None)
    }

    #[test]
    fn a_stall_explains_what_rests_on_time_and_nothing_that_arrived() {
        let timed = |id, ms| (finding(id).0, Some(Duration::from_millis(ms)));
        let weigh = |found: &[Rested], stall| {
            let Verdict { outcome, findings, stalled, .. } =
                Verdict::weigh(found.to_vec(), Duration::from_millis(stall));
            (outcome.word, findings.len(), stalled.map(|it| (it.stall_ms, it.bound_ms)))
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
