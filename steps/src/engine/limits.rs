//! What ends a run before all its cases have run: failures, routers that do not start, a signal.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use super::record::{EndedBy, IncompleteRecord};
use crate::catalog::Case;
use crate::engine::counted;
use crate::stage::{Stop, StopReason};
use crate::trace::Trace;
use crate::verdict::{OutcomeWord, Verdict};

/// The limits of a run; without any, it runs all its cases.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// After how many cases that fail, or in which the suite is at fault, the run ends.
    pub failures: Option<NonZeroUsize>,
    /// After how many cases in a row whose router does not start the run ends. They are counted in
    /// the order in which they end.
    pub start_failures: Option<NonZeroUsize>,
}

/// Watches over a run, and ends it.
#[derive(Debug)]
pub(super) struct LimitWatch<'a> {
    limits: Limits,
    stop: &'a Stop,
    failures: usize,
    /// The cases of the present row of routers that did not start, or that reach no cell.
    not_started: Vec<String>,
    /// Whether the routers run already, and none of their requests has reached a cell.
    reaches_no_cell: bool,
    end: Option<(EndedBy, String)>,
}

/// Why a case says nothing of routers that run already, and whose requests reach no cell.
pub(super) const REACHES_NO_CELL: &str = "no cell received a request: the routers cannot reach \
    the fleet at the addresses of their topology file; `bind` of the router file says where the fleet \
    listens, and `advertise` under which host the routers reach it";

impl<'a> LimitWatch<'a> {
    /// Watches over routers that are started, or that run already.
    pub(super) fn new(limits: Limits, stop: &'a Stop, are_running: bool) -> Self {
        let not_started = Vec::new();
        Self { limits, stop, failures: 0, not_started, reaches_no_cell: are_running, end: None }
    }

    /// Counts a case that ended. It breaks if no further case may start.
    ///
    /// A known failure counts for nothing.
    pub(super) fn count(&mut self, case: &Case, verdict: &Verdict) -> ControlFlow<()> {
        match &self.end {
            None => self.end = self.after(case, verdict),
            // Cases that were still running then belong to the same row.
            Some((EndedBy::StartFailures, _)) if verdict.start_failure.is_some() => {
                self.not_started.push(case.name.clone());
            }
            Some((EndedBy::Failures, _)) if is_failure(verdict) => self.failures += 1,
            Some(_) => {}
        }
        if self.end.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn after(&mut self, case: &Case, verdict: &Verdict) -> Option<(EndedBy, String)> {
        if let Some(reason) = self.stop.reason() {
            return Some(stopped(reason));
        }
        let is_known = verdict.outcome.word == OutcomeWord::KnownFailure;
        if self.reaches_no_cell && verdict.trace.as_deref().is_some_and(Trace::reaches_a_cell) {
            self.reaches_no_cell = false;
        }
        let lacks_cells = self.reaches_no_cell
            && case.needs().router
            && matches!(verdict.outcome.word, OutcomeWord::Failed | OutcomeWord::Warned);
        match verdict.start_error() {
            Some(error) if !is_known => {
                self.not_started.push(case.name.clone());
                let times = self.not_started.len();
                if self.is_too_long() {
                    let times = counted(times, "time");
                    let words = format!("the router did not start {times} in a row; last: {error}");
                    return Some((EndedBy::StartFailures, words));
                }
            }
            None if lacks_cells => {
                self.not_started.push(case.name.clone());
                let end = (EndedBy::StartFailures, REACHES_NO_CELL.to_owned());
                return self.is_too_long().then_some(end);
            }
            None if verdict.trace.is_some() && case.needs().router && !self.reaches_no_cell => {
                self.not_started.clear();
            }
            Some(_) | None => {}
        }
        if is_failure(verdict) {
            self.failures += 1;
            if self.limits.failures.is_some_and(|limit| self.failures >= limit.get()) {
                return Some((EndedBy::Failures, self.failed()));
            }
        }
        None
    }

    /// Whether too many routers failed to start for another one to be tried.
    fn is_too_long(&self) -> bool {
        self.limits.start_failures.is_some_and(|limit| self.not_started.len() >= limit.get())
    }

    fn failed(&self) -> String {
        format!("{} failed", counted(self.failures, "scenario"))
    }

    /// Whether a case is of the present row of routers that did not start.
    pub(super) fn is_undecided(&self, case: &Case) -> bool {
        self.not_started.contains(&case.name)
    }

    /// Whether the last routers did not start.
    pub(super) fn has_undecided(&self) -> bool {
        !self.not_started.is_empty()
    }

    /// The cases whose router did not start, if that is what ended the run, or that failed where no
    /// cell could be reached. They say nothing about the router.
    pub(super) fn without_router(&self) -> &[String] {
        match &self.end {
            Some((EndedBy::StartFailures, _)) => &self.not_started,
            _ if self.reaches_no_cell => &self.not_started,
            _ => &[],
        }
    }

    /// Why `not_run` cases were not run; `None` if all were.
    pub(super) fn incomplete(self, not_run: usize) -> Option<IncompleteRecord> {
        if not_run == 0 {
            return None;
        }
        // No case needs to have ended when a signal comes.
        let end = match self.end {
            // Scenarios that were running at the end may have failed as well.
            Some((EndedBy::Failures, _)) => Some((EndedBy::Failures, self.failed())),
            end => end.or_else(|| self.stop.reason().map(stopped)),
        };
        end.map(|(ended_by, reason)| IncompleteRecord { ended_by, reason, not_run })
    }
}

/// Whether a case counts as a failure.
fn is_failure(verdict: &Verdict) -> bool {
    matches!(verdict.outcome.word, OutcomeWord::Failed | OutcomeWord::SuiteError)
}

fn stopped(reason: StopReason) -> (EndedBy, String) {
    (reason.into(), reason.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Catalog;
    use crate::trace::made::Made;
    use crate::verdict::StartFailure;

    fn failed() -> Verdict {
        Verdict::of(OutcomeWord::Failed)
    }

    fn not_started() -> Verdict {
        Verdict { start_failure: Some(StartFailure::Ended), ..failed() }
    }

    fn passed() -> Verdict {
        Verdict { trace: Some(Trace::default().into()), ..Verdict::of(OutcomeWord::Passed) }
    }

    /// What ended a run in which cases with a router ended so, and after how many of them.
    fn end(limits: Limits, verdicts: &[Verdict]) -> (usize, Option<EndedBy>) {
        let catalog = Catalog::embedded();
        let case = catalog.cases.iter().find(|case| case.needs().router).unwrap();
        let stop = Stop::default();
        let mut watch = LimitWatch::new(limits, &stop, false);
        let ended = verdicts.iter().take_while(|one| watch.count(case, one).is_continue()).count();
        (ended, watch.incomplete(1).map(|incomplete| incomplete.ended_by))
    }

    #[test]
    fn failures_are_counted_and_known_ones_are_not() {
        let limits = Limits { failures: NonZeroUsize::new(2), ..Limits::default() };
        let verdicts =
            [failed(), Verdict::of(OutcomeWord::KnownFailure), passed(), failed(), passed()];
        assert_eq!(end(limits, &verdicts), (3, Some(EndedBy::Failures)));
        assert_eq!(end(Limits::default(), &verdicts), (5, None));
    }

    #[test]
    fn scenarios_that_fail_after_the_end_are_counted() {
        let catalog = Catalog::embedded();
        let case = &catalog.cases[0];
        let stop = Stop::default();
        let limits = Limits { failures: NonZeroUsize::new(1), ..Limits::default() };
        let mut watch = LimitWatch::new(limits, &stop, false);
        for verdict in [failed(), passed(), failed()] {
            let _ = watch.count(case, &verdict);
        }
        assert_eq!(watch.incomplete(1).unwrap().reason, "2 scenarios failed");
    }

    #[test]
    fn a_router_that_starts_ends_the_row() {
        let limits = Limits { start_failures: NonZeroUsize::new(3), ..Limits::default() };
        let row = [not_started(), not_started(), not_started()];
        assert_eq!(end(limits, &row), (2, Some(EndedBy::StartFailures)));
        let broken = [not_started(), not_started(), passed(), not_started()];
        assert_eq!(end(limits, &broken), (4, None));
    }

    #[test]
    fn cases_that_were_running_join_the_row_that_ended_the_run() {
        let catalog = Catalog::embedded();
        let routed: Vec<_> = catalog.cases.iter().filter(|case| case.needs().router).collect();
        let stop = Stop::default();
        let limits = Limits { start_failures: NonZeroUsize::new(2), ..Limits::default() };
        let mut watch = LimitWatch::new(limits, &stop, false);
        for case in &routed[..3] {
            let _ = watch.count(case, &not_started());
        }
        let names: Vec<_> = routed[..3].iter().map(|case| case.name.clone()).collect();
        assert_eq!(watch.without_router(), names);
    }

    #[test]
    fn running_routers_that_reach_no_cell_are_not_blamed() {
        let catalog = Catalog::embedded();
        let routed: Vec<_> = catalog.cases.iter().filter(|case| case.needs().router).collect();
        let limits =
            Limits { failures: NonZeroUsize::new(1), start_failures: NonZeroUsize::new(3) };
        let refused = || Verdict { outcome: OutcomeWord::Failed.into(), ..passed() };
        let judged = |verdicts: &[Verdict]| {
            let stop = Stop::default();
            let mut watch = LimitWatch::new(limits, &stop, true);
            for (case, verdict) in routed.iter().zip(verdicts) {
                let _ = watch.count(case, verdict);
            }
            (watch.without_router().len(), watch.incomplete(1))
        };
        // A refusal that a scenario asks for shows no cell.
        let (none, end) = judged(&[refused(), passed(), refused()]);
        assert_eq!((none, end), (2, None));
        let (none, end) = judged(&[refused(), refused(), passed(), refused()]);
        assert_eq!((none, end.unwrap().reason.as_str()), (3, REACHES_NO_CELL));
        let mut made = Made::default();
        let user = made.sends("anna", "/a");
        made.reaches(user, "cell_eu0");
        let reached = Verdict { trace: Some(made.trace.into()), ..refused() };
        let (none, end) = judged(&[refused(), reached]);
        assert_eq!((none, end.unwrap().ended_by), (0, EndedBy::Failures));
    }

    #[test]
    fn a_stopped_run_in_which_everything_ran_is_complete() {
        let stop = Stop::default();
        stop.request(StopReason::Interrupted);
        let watch = || LimitWatch::new(Limits::default(), &stop, false);
        assert_eq!(watch().incomplete(0), None);
        assert_eq!(watch().incomplete(2).unwrap().ended_by, EndedBy::Interrupt);
    }
}
