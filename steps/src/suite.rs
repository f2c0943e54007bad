//! Runs many cases side by side and tells what happens as events.

use std::ops::ControlFlow;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use crate::catalog::Case;
pub use crate::engine::Conclusion;
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

/// Runs cases, at most `jobs` side by side; `tell` hears of every event on the calling thread. The
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

/// A case without a verdict is the suite's fault, never a pass.
fn ended(case: &Case, result: Result<(Verdict, Duration), TaskError>) -> Ended<'_> {
    let (verdict, took) = result.unwrap_or_else(|error| {
        (Verdict::of(Outcome::SuiteError(error.to_string())), Duration::ZERO)
    });
    Ended { case, verdict, took }
}
