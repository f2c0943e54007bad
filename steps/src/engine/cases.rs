//! Runs cases in parallel and reports events.

use std::ops::ControlFlow;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use super::groups::group_of;
use super::pool::{self, Progress, TaskError};
use crate::catalog::Case;
use crate::ledger::Ledger;
use crate::run::run;
use crate::stage::Launch;
use crate::verdict::{Outcome, Verdict};

/// An event of a run.
#[derive(Debug)]
pub enum Event<'a> {
    /// The run begins, with this number of cases.
    Began {
        /// Number of cases.
        cases: usize,
    },
    /// A case has begun.
    Started {
        /// The case.
        case: &'a Case,
    },
    /// A case has ended.
    Finished {
        /// The case.
        case: &'a Case,
        /// Its verdict.
        verdict: Verdict,
        /// How long it took.
        took: Duration,
    },
}

/// A case that ended.
#[derive(Clone, Debug)]
pub struct Ended<'a> {
    /// The case.
    pub case: &'a Case,
    /// Its verdict.
    pub verdict: Verdict,
    /// How long it took.
    pub took: Duration,
}

/// Parallel jobs by default: cases wait more than they compute.
pub fn usual_jobs() -> usize {
    2 * available_parallelism().map_or(1, usize::from)
}

/// Runs at most `jobs` cases in parallel; `tell` receives every event on the calling thread. The
/// results are in the order of the cases.
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

/// A case without a verdict is a suite error, never a pass.
fn ended(case: &Case, result: Result<(Verdict, Duration), TaskError>) -> Ended<'_> {
    let (verdict, took) = result.unwrap_or_else(|error| {
        (Verdict::of(Outcome::SuiteError(error.to_string())), Duration::ZERO)
    });
    Ended { case, verdict, took }
}
