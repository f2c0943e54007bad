//! Runs cases again whose findings the machine may have caused: alone, once the machine is quieter.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use super::pool::{self, Progress, TaskError};
use crate::catalog::Case;
use crate::ledger::Ledger;
use crate::run::{JobSlot, run};
use crate::stage::{Launch, Stop, machine};
use crate::verdict::{OutcomeWord, Stalled, Verdict};

/// How often a case is run again at most.
const TIMES: usize = 2;

/// The result of a run of a case that may have to be repeated.
pub trait Attempt {
    /// Why the run proves nothing: the machine stalled. `None` if it has a verdict.
    fn stalled(&self) -> Option<&Stalled>;

    fn add_earlier(&mut self, earlier: Vec<Stalled>);
}

impl Attempt for Verdict {
    fn stalled(&self) -> Option<&Stalled> {
        self.stalled.as_ref().filter(|_| self.is_busy())
    }

    fn add_earlier(&mut self, earlier: Vec<Stalled>) {
        self.earlier = earlier;
    }
}

impl Attempt for (Verdict, Duration) {
    fn stalled(&self) -> Option<&Stalled> {
        self.0.stalled()
    }

    fn add_earlier(&mut self, earlier: Vec<Stalled>) {
        self.0.add_earlier(earlier);
    }
}

/// Runs tasks on a pool, as [`pool::run`] does. A task whose run proves nothing since the machine
/// stalled runs again after all others, alone, at most twice; `tell` hears of its last end alone.
pub fn run_patiently<T: Sync, R: Attempt + Send + Clone>(
    jobs: usize,
    tasks: &[T],
    stop: &Stop,
    work: impl Fn(&T, &Arc<JobSlot>) -> R + Sync,
    mut tell: impl FnMut(Progress<'_, R>) -> ControlFlow<()>,
) -> Vec<Result<R, TaskError>> {
    let mut again = Vec::new();
    let mut is_over = false;
    let mut results = pool::run(jobs, tasks, &work, |progress| {
        let flow = match progress {
            Progress::Finished(index, Ok(result)) if result.stalled().is_some() => {
                again.push(index);
                ControlFlow::Continue(())
            }
            progress => tell(progress),
        };
        is_over |= flow.is_break();
        flow
    });
    for index in again {
        let mut earlier = Vec::new();
        for _ in 0..TIMES {
            let Ok(stalled) = &results[index] else { break };
            let Some(stalled) = stalled.stalled().cloned().filter(|_| !is_over) else { break };
            machine::wait_until_quiet(Duration::from_millis(stalled.bound_ms), stop);
            if stop.reason().is_some() {
                break;
            }
            earlier.push(stalled);
            let alone = |index: &usize, slot: &_| work(&tasks[*index], slot);
            let one = pool::run(1, &[index], alone, |_| ControlFlow::Continue(()));
            results[index] = one.into_iter().next().unwrap_or(Err(TaskError::NotStarted));
        }
        if let Ok(result) = &mut results[index] {
            result.add_earlier(earlier);
        }
        is_over |= tell(Progress::Finished(index, &results[index])).is_break();
    }
    results
}

/// Runs a case by itself, and again if the run proves nothing because the machine stalled.
pub fn run_again(case: &Case, launch: &Launch, ledger: &Ledger) -> Verdict {
    let work = |case: &&Case, slot: &_| run(case, launch, ledger, slot);
    let run = run_patiently(1, &[case], &launch.stop, work, |_| ControlFlow::Continue(()));
    run.into_iter()
        .next()
        .and_then(Result::ok)
        .unwrap_or_else(|| Verdict::of(OutcomeWord::SuiteError.because("the scenario panicked")))
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    /// A result whose runs so far left out something.
    #[derive(Clone, Debug, Default)]
    struct Result {
        busy: Option<Stalled>,
        earlier: usize,
    }

    impl Attempt for Result {
        fn stalled(&self) -> Option<&Stalled> {
            self.busy.as_ref()
        }

        fn add_earlier(&mut self, earlier: Vec<Stalled>) {
            self.earlier = earlier.len();
        }
    }

    /// Runs six tasks side by side, each busy the given number of times. Returns how often each
    /// ran, how each ended, and how many were told of.
    fn runs(busy: [usize; 6], breaks: bool) -> ([usize; 6], Vec<(bool, usize)>, usize) {
        let ran: [AtomicUsize; 6] = Default::default();
        let (open, told) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
        let work = |task: &usize, _: &_| {
            let beside = open.fetch_add(1, Ordering::SeqCst);
            let times = ran[*task].fetch_add(1, Ordering::SeqCst);
            assert!(times == 0 || beside == 0, "a further run is not alone");
            // No stall of this machine is as long as a quarter of an hour.
            let stalled = Stalled { stall_ms: 1, bound_ms: 3_600_000, found: String::new() };
            open.fetch_sub(1, Ordering::SeqCst);
            Result { busy: (times < busy[*task]).then_some(stalled), earlier: 0 }
        };
        let tasks = [0, 1, 2, 3, 4, 5];
        let results = run_patiently(3, &tasks, &Stop::default(), work, |progress| {
            let Progress::Finished(index, Ok(_)) = progress else {
                return ControlFlow::Continue(());
            };
            told.lock().unwrap().push(index);
            if breaks { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        let ended = results.into_iter().flatten().map(|one| (one.busy.is_some(), one.earlier));
        (ran.map(AtomicUsize::into_inner), ended.collect(), told.into_inner().unwrap().len())
    }

    #[test]
    fn what_the_machine_may_have_caused_is_run_again_alone_and_at_most_twice() {
        let (ran, ended, told) = runs([0, 0, 1, 0, 9, 0], false);
        assert_eq!(ran, [1, 1, 2, 1, 3, 1]);
        assert_eq!((ended[1], ended[2], ended[4], told), ((false, 0), (false, 1), (true, 2), 6));
    }

    #[test]
    fn nothing_is_run_again_once_the_run_is_over() {
        let (ran, ..) = runs([9; 6], false);
        assert_eq!(ran, [3; 6]);
        let (ran, ..) = runs([0, 9, 9, 9, 9, 9], true);
        assert!(ran.iter().all(|times| *times <= 1), "{ran:?}");
    }
}
