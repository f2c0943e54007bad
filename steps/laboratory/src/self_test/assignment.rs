//! Many routers, each against its own cases, on one pool.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use conformance_suite::catalog::Case;
use conformance_suite::engine::pool::{Progress, TaskError};
use conformance_suite::engine::{Attempt, run_patiently};
use conformance_suite::ledger::{Ledger, RequirementId};
use conformance_suite::run::run;
use conformance_suite::stage::{Launch, Stop};
use conformance_suite::verdict::{Outcome, OutcomeWord, Stalled, Verdict};

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
/// `tell` hears of each assignment by its index, in order, once it and all before it are done. Where
/// `stop` has a reason, nothing more starts and nothing more is told.
pub(super) fn run_each<'a>(
    assignments: &[Assignment<'a>],
    jobs: usize,
    stop: &Stop,
    mut tell: impl FnMut(usize, Vec<CaseResult<'a>>),
) {
    let tasks: Vec<(usize, &Launch, &Case)> = (assignments.iter().enumerate())
        .flat_map(|(at, one)| one.cases.iter().map(move |case| (at, &one.launch, *case)))
        .collect();
    // The results of each assignment, by task, and the first assignment that was not told of.
    let mut results = vec![BTreeMap::new(); assignments.len()];
    let mut next = 0;
    let mut tell_done = |results: &mut [BTreeMap<usize, CaseResult<'a>>]| {
        while next < results.len() && results[next].len() == assignments[next].cases.len() {
            let own = std::mem::take(&mut results[next]);
            tell(next, own.into_values().collect());
            next += 1;
        }
    };
    tell_done(&mut results);
    let ledger = Ledger::embedded();
    let work = |(_, launch, case): &(usize, &Launch, &'a Case), idle: &_| {
        CaseResult::from_verdict(case, run(case, launch, ledger, idle))
    };
    run_patiently(jobs, &tasks, stop, work, |progress| match progress {
        _ if stop.reason().is_some() => ControlFlow::Break(()),
        Progress::Started(_) => ControlFlow::Continue(()),
        Progress::Finished(index, result) => {
            let failed = |error: TaskError| {
                let outcome = OutcomeWord::SuiteError.because(error.to_string());
                CaseResult::from_verdict(tasks[index].2, Verdict::of(outcome))
            };
            results[tasks[index].0].insert(index, result.clone().unwrap_or_else(failed));
            tell_done(&mut results);
            ControlFlow::Continue(())
        }
    });
}
