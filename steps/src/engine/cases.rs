//! Runs cases in parallel and reports events.

use std::ops::ControlFlow;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use super::groups::{group_of, turn};
use super::pool::{self, Progress, TaskError};
use crate::catalog::Case;
use crate::ledger::Ledger;
use crate::run::run;
use crate::stage::Launch;
use crate::verdict::{Outcome, Verdict};

/// An event of a run.
#[derive(Debug)]
pub enum Event<'a> {
    /// The run begins.
    Began {
        /// Number of cases that are run.
        cases: usize,
        /// Number of selected cases that are not run: they do not apply to the router, or it cannot
        /// be brought to them.
        left_out: usize,
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
    tell(Event::Began { cases: cases.len(), left_out: 0 });
    run_until(cases, launch, ledger, jobs, |event| {
        tell(event);
        ControlFlow::Continue(())
    })
}

/// The same for a caller that knows when the run began. When `tell` breaks, no further case starts;
/// the running ones end as usual.
pub(super) fn run_until<'a>(
    cases: &'a [Case],
    launch: &Launch,
    ledger: &Ledger,
    jobs: usize,
    mut tell: impl FnMut(Event<'a>) -> ControlFlow<()>,
) -> Vec<Ended<'a>> {
    let work = |case: &Case| {
        // Other runs on this machine, as further shards, make times longer too.
        let turn = turn(case, &launch.stop);
        let began = Instant::now();
        let verdict = match turn {
            Ok(_lasts) => run(case, launch, ledger),
            Err(why) => Verdict::of(Outcome::SuiteError(why)),
        };
        (verdict, began.elapsed())
    };
    let results = pool::run(jobs, cases, group_of, work, |progress| match progress {
        Progress::Started(index) => tell(Event::Started { case: &cases[index] }),
        Progress::Finished(index, result) => {
            let Ended { case, verdict, took } = ended(&cases[index], result.clone());
            tell(Event::Finished { case, verdict, took })
        }
    });
    cases.iter().zip(results).map(|(case, result)| ended(case, result)).collect()
}

/// A case without a verdict is never a pass.
fn ended(case: &Case, result: Result<(Verdict, Duration), TaskError>) -> Ended<'_> {
    let (verdict, took) = result.unwrap_or_else(|error| {
        let outcome = match error {
            TaskError::NotStarted => Outcome::NotRun("the run ended before".to_owned()),
            TaskError::Panicked(_) => Outcome::SuiteError(error.to_string()),
        };
        (Verdict::of(outcome), Duration::ZERO)
    });
    Ended { case, verdict, took }
}
