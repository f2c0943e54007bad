//! Runs cases in parallel and reports events.

use std::cmp::Reverse;
use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::thread::{self, available_parallelism};
use std::time::{Duration, Instant};

use super::again::run_patiently;
use super::pool::{Progress, TaskError};
use crate::catalog::Case;
use crate::ledger::Ledger;
use crate::run::{expected_length, run};
use crate::stage::Launch;
use crate::verdict::{OutcomeWord, Verdict};

#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "one event is alive at a time")]
pub enum Event<'a> {
    Began {
        cases: usize,
        /// Number of selected cases that are not run: they do not apply to the router, or it cannot
        /// be brought to them.
        left_out: usize,
    },
    Started {
        case: &'a Case,
    },
    Finished(Ended<'a>),
}

#[derive(Clone, Debug)]
pub struct Ended<'a> {
    pub case: &'a Case,
    pub verdict: Verdict,
    pub took: Duration,
}

/// Parallel jobs by default: cases wait more than they compute.
pub fn usual_jobs() -> usize {
    2 * available_parallelism().map_or(1, usize::from)
}

/// Runs at most `jobs` cases in parallel. The results are in the order of the cases.
pub fn run_all<'a>(
    cases: &'a [Case],
    launch: &Launch,
    ledger: &Ledger,
    jobs: usize,
) -> Vec<Ended<'a>> {
    run_until(cases, launch, ledger, jobs, |_| ControlFlow::Continue(()))
}

/// Runs cases, and tells of each on the calling thread. When `tell` breaks, no further case starts;
/// the running ones end as usual. With several jobs the longest cases begin first, so that
/// none of them is left at the end.
pub(super) fn run_until<'a>(
    cases: &'a [Case],
    launch: &Launch,
    ledger: &Ledger,
    jobs: usize,
    mut tell: impl FnMut(Event<'a>) -> ControlFlow<()>,
) -> Vec<Ended<'a>> {
    let mut order: Vec<usize> = (0..cases.len()).collect();
    if jobs > 1 {
        let lengths = expected_lengths(cases);
        order.sort_by_key(|index| Reverse(lengths[*index]));
    }
    let ordered: Vec<&Case> = order.iter().map(|index| &cases[*index]).collect();
    let work = |case: &&Case, slot: &_| {
        let began = Instant::now();
        (run(case, launch, ledger, slot), began.elapsed())
    };
    let results = run_patiently(jobs, &ordered, &launch.stop, work, |progress| match progress {
        Progress::Started(index) => tell(Event::Started { case: ordered[index] }),
        Progress::Finished(index, result) => {
            tell(Event::Finished(ended(ordered[index], result.clone())))
        }
    });
    let mut ended: Vec<_> = order
        .into_iter()
        .zip(ordered.iter().zip(results).map(|(case, result)| ended(case, result)))
        .collect();
    ended.sort_by_key(|(index, _)| *index);
    ended.into_iter().map(|(_, ended)| ended).collect()
}

/// How long each case takes. To read all their steps takes a while, and nothing else runs yet.
fn expected_lengths(cases: &[Case]) -> Vec<Duration> {
    let part = cases.len().div_ceil(available_parallelism().map_or(1, usize::from)).max(1);
    let lengths = |part: &[Case]| part.iter().map(expected_length).collect::<Vec<_>>();
    thread::scope(|scope| {
        let begin = |part| {
            let begun = thread::Builder::new().spawn_scoped(scope, move || lengths(part));
            begun.map_err(|_| part)
        };
        let parts: Vec<_> = cases.chunks(part).map(begin).collect();
        // A panic of a step function is one of the caller, as without threads.
        let joined = parts.into_iter().map(|part| match part {
            Ok(thread) => thread.join().unwrap_or_else(|it| resume_unwind(it)),
            Err(part) => lengths(part),
        });
        joined.flatten().collect()
    })
}

/// A case without a verdict is never a pass.
fn ended(case: &Case, result: Result<(Verdict, Duration), TaskError>) -> Ended<'_> {
    let (verdict, took) = result.unwrap_or_else(|error| {
        let outcome = match error {
            TaskError::NotStarted => OutcomeWord::NotRun.because("the run ended before"),
            TaskError::Panicked(_) | TaskError::NoThread(_) => {
                OutcomeWord::SuiteError.because(error.to_string())
            }
        };
        (Verdict::of(outcome), Duration::ZERO)
    });
    Ended { case, verdict, took }
}
