//! Runs many cases side by side and tells what happens as events.

use std::fmt;
use std::ops::ControlFlow;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use crate::catalog::Case;
use crate::engine::groups::group_of;
use crate::engine::pool::{self, Progress, TaskError};
use crate::ledger::Ledger;
use crate::run::run;
use crate::stage::Launch;
use crate::verdict::{Outcome, Verdict};

/// What happens while a suite runs.
#[derive(Debug)]
pub enum Event<'a> {
    /// So many cases are to be run.
    Began {
        /// How many.
        cases: usize,
    },
    /// A case has begun.
    Started {
        /// Which.
        case: &'a Case,
    },
    /// A case has ended.
    Finished {
        /// Which.
        case: &'a Case,
        /// Its verdict.
        verdict: Verdict,
        /// How long it took.
        took: Duration,
    },
}

/// What a case came to.
#[derive(Clone, Debug)]
pub struct Ended<'a> {
    /// The case.
    pub case: &'a Case,
    /// Its verdict.
    pub verdict: Verdict,
    /// How long it took.
    pub took: Duration,
}

/// How many cases run side by side where nobody says: they wait more than they compute.
pub fn usual_jobs() -> usize {
    2 * available_parallelism().map_or(1, usize::from)
}

/// Runs cases, at most `jobs` side by side; `tell` hears of everything on the calling thread. The results are
/// in the order of the cases.
pub fn run_all<'a>(
    cases: &'a [Case],
    launch: &Launch,
    ledger: &Ledger,
    jobs: usize,
    mut tell: impl FnMut(Event<'a>),
) -> Vec<Ended<'a>> {
    tell(Event::Began { cases: cases.len() });
    let work = |case: &Case| {
        let began = Instant::now();
        let verdict = run(case, launch, ledger);
        (verdict, began.elapsed())
    };
    let results = pool::run(jobs, cases, group_of, work, |progress| {
        match progress {
            Progress::Started(index) => tell(Event::Started { case: &cases[index] }),
            Progress::Finished(index, result) => {
                let Ended { case, verdict, took } = ended(&cases[index], result.clone());
                tell(Event::Finished { case, verdict, took });
            }
        }
        ControlFlow::Continue(())
    });
    cases.iter().zip(results).map(|(case, result)| ended(case, result)).collect()
}

/// A case without a verdict is the suite's fault, never a pass.
fn ended(case: &Case, result: Result<(Verdict, Duration), TaskError>) -> Ended<'_> {
    let (verdict, took) = result.unwrap_or_else(|error| {
        (Verdict::of(Outcome::SuiteError(error.to_string())), Duration::ZERO)
    });
    Ended { case, verdict, took }
}

/// How a run as a whole ended; its number is the exit code.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Conclusion {
    /// Nothing that must hold is violated.
    Conformant = 0,
    /// A requirement of level MUST is violated.
    NotConformant = 1,
    /// Something could not be run for a reason outside the router.
    Incomplete = 3,
    /// The suite itself is at fault.
    SuiteFault = 4,
}

impl fmt::Display for Conclusion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Conformant => "conformant",
            Self::NotConformant => "not conformant",
            Self::Incomplete => "incomplete",
            Self::SuiteFault => "suite at fault",
        })
    }
}

impl Conclusion {
    /// Weighs the outcomes of a run. Nothing that ran is never conformant.
    pub fn of<'a>(outcomes: impl IntoIterator<Item = &'a Outcome>) -> Self {
        let mut worst = None;
        for outcome in outcomes {
            let one = match outcome {
                Outcome::Passed | Outcome::Warned | Outcome::KnownFailure { .. } => {
                    Some(Self::Conformant)
                }
                Outcome::NotApplicable(_) => None,
                Outcome::Failed => Some(Self::NotConformant),
                Outcome::CouldNotRun(_) => Some(Self::Incomplete),
                Outcome::SuiteError(_) => Some(Self::SuiteFault),
            };
            worst = worst.max(one);
        }
        worst.unwrap_or(Self::Incomplete)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_outcome_decides_and_nothing_run_is_incomplete() {
        let of = |outcomes: &[Outcome]| Conclusion::of(outcomes);
        let not_applicable = || Outcome::NotApplicable(String::new());
        assert_eq!(of(&[]), Conclusion::Incomplete);
        assert_eq!(of(&[not_applicable()]), Conclusion::Incomplete);
        assert_eq!(
            of(&[Outcome::Passed, not_applicable(), Outcome::Warned]),
            Conclusion::Conformant
        );
        assert_eq!(of(&[Outcome::Failed, Outcome::Passed]), Conclusion::NotConformant);
        assert_eq!(
            of(&[
                Outcome::SuiteError(String::new()),
                Outcome::CouldNotRun(String::new()),
                Outcome::Failed
            ]),
            Conclusion::SuiteFault
        );
    }
}
