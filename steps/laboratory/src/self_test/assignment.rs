//! Many routers, each against its own cases, on one pool.

use std::collections::BTreeSet;
use std::ops::{ControlFlow, Range};

use conformance_suite::catalog::Case;
use conformance_suite::engine::pool::{Progress, TaskError};
use conformance_suite::engine::{Attempt, run_patiently};
use conformance_suite::ledger::{Ledger, RequirementId};
use conformance_suite::run::run;
use conformance_suite::stage::{Launch, Stop};
use conformance_suite::verdict::{Outcome, Stalled, Verdict};

/// A router, and the cases that it meets.
#[derive(Debug)]
pub(super) struct Assignment<'a> {
    pub(super) launch: Launch,
    pub(super) cases: Vec<&'a Case>,
}

/// What a verdict says, without the trace: thousands of them are kept at once.
#[derive(Clone, Debug)]
pub(super) struct CaseResult<'a> {
    pub(super) case: &'a Case,
    pub(super) outcome: Outcome,
    /// The requirements that its findings carry.
    pub(super) violated: BTreeSet<RequirementId>,
    /// Its first finding in words.
    pub(super) first_finding: Option<String>,
    /// Why it proves nothing: the machine stalled.
    pub(super) busy: Option<Stalled>,
}

impl Attempt for CaseResult<'_> {
    fn stalled(&self) -> Option<&Stalled> {
        self.busy.as_ref()
    }

    fn add_earlier(&mut self, _: Vec<Stalled>) {}
}

impl<'a> CaseResult<'a> {
    fn from_verdict(case: &'a Case, verdict: Verdict) -> Self {
        let first = verdict.findings.first();
        Self {
            case,
            busy: verdict.stalled().cloned(),
            first_finding: first
                .map(|finding| format!("{}: {}", finding.requirement, finding.message)),
            violated: verdict.findings.into_iter().map(|finding| finding.requirement).collect(),
            outcome: verdict.outcome,
        }
    }
}

/// Runs all cases of all assignments on one pool, at most `jobs` side by side.
///
/// `tell` hears of each assignment by its index, in order, once it and all before it are done. When
/// it breaks, and where `stop` has a reason, nothing more starts and nothing more is told.
pub(super) fn run_each<'a>(
    assignments: &[Assignment<'a>],
    jobs: usize,
    stop: &Stop,
    tell: impl FnMut(usize, Vec<CaseResult<'a>>) -> ControlFlow<()>,
) {
    let tasks: Vec<(&Launch, &Case)> = assignments
        .iter()
        .flat_map(|one| one.cases.iter().map(|case| (&one.launch, *case)))
        .collect();
    let mut pending = Pending::with_sizes(assignments.iter().map(|one| one.cases.len()), tell);
    if pending.tell_done().is_break() {
        return;
    }
    let ledger = Ledger::embedded();
    let work = |(launch, case): &(&Launch, &'a Case), idle: &_| {
        CaseResult::from_verdict(case, run(case, launch, ledger, idle))
    };
    run_patiently(jobs, &tasks, stop, work, |progress| match progress {
        _ if stop.reason().is_some() => ControlFlow::Break(()),
        Progress::Started(_) => ControlFlow::Continue(()),
        Progress::Finished(index, result) => {
            let failed = |error: TaskError| {
                let outcome = Outcome::SuiteError(error.to_string());
                CaseResult::from_verdict(tasks[index].1, Verdict::of(outcome))
            };
            pending.add(index, result.clone().unwrap_or_else(failed))
        }
    });
}

/// Collects results, and tells of runs of them that are complete, in order.
struct Pending<R, F> {
    results: Vec<Option<R>>,
    /// Where the results of each assignment stand, and how many of them are missing.
    parts: Vec<(Range<usize>, usize)>,
    /// The first assignment that was not told of.
    next: usize,
    tell: F,
    is_over: bool,
}

impl<R, F: FnMut(usize, Vec<R>) -> ControlFlow<()>> Pending<R, F> {
    /// An empty list of results for each assignment, with room for as many results as it will have.
    fn with_sizes(sizes: impl Iterator<Item = usize>, tell: F) -> Self {
        let mut total = 0;
        let parts = sizes
            .map(|size| {
                let begin = total;
                total += size;
                (begin..total, size)
            })
            .collect();
        let results = (0..total).map(|_| None).collect();
        Self { results, parts, next: 0, tell, is_over: false }
    }

    fn add(&mut self, index: usize, result: R) -> ControlFlow<()> {
        self.results[index] = Some(result);
        let part = self.parts.partition_point(|(range, _)| range.end <= index);
        self.parts[part].1 -= 1;
        self.tell_done()
    }

    /// Tells of what is complete and next in order.
    fn tell_done(&mut self) -> ControlFlow<()> {
        while !self.is_over
            && let Some((range, 0)) = self.parts.get(self.next)
        {
            let results = self.results[range.clone()].iter_mut().filter_map(Option::take);
            self.is_over = (self.tell)(self.next, results.collect()).is_break();
            self.next += 1;
        }
        if self.is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn complete_parts_are_told_in_order() {
        let mut told = Vec::new();
        let mut pending = Pending::with_sizes([2, 0, 1].into_iter(), |part, results| {
            told.push((part, results));
            ControlFlow::Continue(())
        });
        for (index, result) in [(2, 'c'), (1, 'b'), (0, 'a')] {
            assert!(pending.add(index, result).is_continue());
        }
        assert_eq!(told, [(0, vec!['a', 'b']), (1, vec![]), (2, vec!['c'])]);
    }

    #[test]
    fn nothing_is_told_after_a_break() {
        let mut told = 0;
        let mut pending = Pending::with_sizes([0, 1, 1].into_iter(), |_, _| {
            told += 1;
            ControlFlow::Break(())
        });
        assert!(pending.tell_done().is_break());
        assert!(pending.add(0, ()).is_break() && pending.add(1, ()).is_break());
        assert_eq!(told, 1);
    }
}
