//! A run: select, run, record, settle claims, conclude. And the cases of a test program, each of which
//! is a separate run.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::time::{Duration, Instant, SystemTime};

use super::cases::{Ended, Event, run_until};
use super::claims::Scope;
use super::limits::{LimitWatch, Limits, REACHES_NO_CELL};
use super::record::{
    CaseRecord, PartOfRun, RouterRecord, RunRecord, RunSettings, VERSION, milliseconds,
    requirements_of, suite, suite_with,
};
use super::{RecordFolder, Selection, Subject, run_again};
use crate::catalog::{Case, Catalog};
use crate::ledger::Ledger;
use crate::stage::Launch;
use crate::verdict::{OutcomeWord, Verdict};

#[derive(Debug)]
pub struct RunPlan<'a> {
    pub catalog: &'a Catalog,
    pub ledger: &'a Ledger,
    pub selection: &'a Selection,
    pub subject: &'a Subject,
    pub launch: &'a Launch,
    pub jobs: usize,
    pub limits: Limits,
}

/// Runs what the plan says and returns the record; `tell` receives every event on the calling
/// thread. An error says that the selection selects nothing.
pub fn run(plan: &RunPlan<'_>, mut tell: impl FnMut(Event<'_>)) -> Result<RunRecord, String> {
    let selected = plan.selection.of(&plan.catalog.cases, plan.ledger)?;
    let (began, clock) = (SystemTime::now(), Instant::now());
    let started_before = plan.launch.starts.total();
    let mut ended: HashMap<String, (Verdict, Duration, Duration)> = HashMap::new();
    let mut to_run = Vec::new();
    for case in &selected {
        match plan.subject.skips(case) {
            Some(outcome) => {
                let none = Duration::ZERO;
                ended.insert(case.name.clone(), (Verdict::of(outcome), none, none));
            }
            None => to_run.push(case.clone()),
        }
    }
    tell(Event::Began { cases: to_run.len(), left_out: ended.len() });
    let mut beginnings = HashMap::new();
    // Whether a router that did not start violates a requirement depends on what follows.
    let mut held = Vec::new();
    let mut watch = LimitWatch::new(plan.limits, &plan.launch.stop, plan.subject.is_shared());
    let claims = &plan.subject.claims;
    let results = run_until(&to_run, plan.launch, plan.ledger, plan.jobs, |mut event| {
        let mut flow = ControlFlow::Continue(());
        match &mut event {
            Event::Began { .. } => {}
            Event::Started { case } => {
                beginnings.insert(case.name.clone(), clock.elapsed());
            }
            Event::Finished(Ended { case, verdict, .. }) => {
                let word = verdict.outcome.word;
                if let Some(known) = claims.known(&case.name, case.protocol, word) {
                    verdict.outcome = known;
                }
                flow = watch.count(case, verdict);
                if watch.is_undecided(case) {
                    held.push(event);
                    return flow;
                }
                if !watch.has_undecided() {
                    held.drain(..).for_each(&mut tell);
                }
            }
        }
        tell(event);
        flow
    });
    for mut event in held {
        if let Event::Finished(Ended { case, verdict, .. }) = &mut event
            && watch.without_router().contains(&case.name)
        {
            *verdict = without_router(verdict);
        }
        tell(event);
    }
    for mut one in results {
        if watch.without_router().contains(&one.case.name) {
            one.verdict = without_router(&one.verdict);
        }
        let began = beginnings.get(&one.case.name).copied().unwrap_or_default();
        ended.insert(one.case.name.clone(), (one.verdict, began, one.took));
    }
    let part = plan.selection.shard.map(PartOfRun::Shard);
    let settings = settings(began, plan.launch.seed, plan.jobs, plan.selection.words(), part);
    let mut record = RunRecord::empty(plan.subject.described.clone(), settings);
    record.run.excluded = plan.selection.left_out(&plan.catalog.cases, plan.ledger);
    record.suite = suite_with(plan.catalog.own.as_ref());
    record.features = plan.catalog.own.clone();
    for case in &selected {
        if let Some((verdict, began, took)) = ended.get(&case.name) {
            record.add(case, verdict, *began, *took, plan.ledger);
        }
    }
    record.run.took_ms = milliseconds(clock.elapsed());
    record.run.starts = plan.launch.starts.total().since(started_before);
    record.requirements = requirements_of(&record.scenarios, plan.ledger);
    let not_run =
        record.scenarios.iter().filter(|case| case.outcome.word == OutcomeWord::NotRun).count();
    record.incomplete = watch.incomplete(not_run);
    record.conclude(plan.catalog);
    Ok(record)
}

/// The verdict of a case whose router did not start or reaches no cell, where no router does.
fn without_router(verdict: &Verdict) -> Verdict {
    let error = verdict.start_error().unwrap_or(REACHES_NO_CELL);
    let start_failure = verdict.start_failure;
    let (stalled, earlier) = (verdict.stalled.clone(), verdict.earlier.clone());
    let verdict = Verdict::of(OutcomeWord::CouldNotRun.because(error));
    Verdict { start_failure, stalled, earlier, ..verdict }
}

/// The settings of a run that began now.
pub fn settings(
    began: SystemTime,
    seed: u64,
    jobs: usize,
    selection: Vec<String>,
    part: Option<PartOfRun>,
) -> RunSettings {
    RunSettings {
        began: humantime::format_rfc3339_millis(began).to_string(),
        took_ms: 0,
        starts: None,
        seed,
        jobs,
        selection,
        excluded: Vec::new(),
        platform: format!("{}-{}", std::env::consts::OS, std::env::consts::ARCH),
        part,
    }
}

impl RunRecord {
    /// A record without a case.
    pub fn empty(router: RouterRecord, run: RunSettings) -> Self {
        Self { version: VERSION, suite: suite().clone(), router, run, ..Self::default() }
    }

    pub(crate) fn add(
        &mut self,
        case: &Case,
        verdict: &Verdict,
        began: Duration,
        took: Duration,
        ledger: &Ledger,
    ) {
        let record = CaseRecord::of(case, verdict, began, took, ledger, &mut self.bodies);
        self.scenarios.push(record);
    }
}

/// What the cases of a test program share.
#[derive(Debug)]
pub(crate) struct Trials {
    pub(crate) subject: Subject,
    pub(crate) launch: Launch,
    pub(crate) folder: Option<RecordFolder>,
}

impl Trials {
    /// Runs a case, and leaves its record behind: with one case, the claims settled, and its
    /// conclusion.
    pub(crate) fn run(&self, case: &Case, ledger: &Ledger) -> Result<RunRecord, String> {
        let (began, clock) = (SystemTime::now(), Instant::now());
        let file = match &self.folder {
            // Readers of the folder see this record if the process is killed before the case ends.
            Some(folder) => {
                let why = "the process that ran the scenario ended before the scenario did";
                let verdict = Verdict::of(OutcomeWord::CouldNotRun.because(why));
                let begun = self.record(case, &verdict, began, Duration::ZERO, ledger);
                Some((folder, folder.add(&begun)?))
            }
            None => None,
        };
        let verdict = run_again(case, &self.launch, ledger);
        let record = self.record(case, &verdict, began, clock.elapsed(), ledger);
        if let Some((folder, file)) = file {
            folder.replace(&file, &record)?;
        }
        Ok(record)
    }

    fn record(
        &self,
        case: &Case,
        verdict: &Verdict,
        began: SystemTime,
        took: Duration,
        ledger: &Ledger,
    ) -> RunRecord {
        let words = vec![case.name.clone()];
        let settings = settings(began, self.launch.seed, 1, words, Some(PartOfRun::Trial));
        let mut record = RunRecord::empty(self.subject.described.clone(), settings);
        record.add(case, verdict, Duration::ZERO, took, ledger);
        record.run.took_ms = milliseconds(took);
        record.requirements = requirements_of(&record.scenarios, ledger);
        record.settle(&self.subject.claims, Scope::One);
        record
    }

    /// A trial that ended with this verdict.
    #[cfg(test)]
    pub(crate) fn ended(&self, case: &Case, verdict: Verdict, ledger: &Ledger) -> RunRecord {
        self.record(case, &verdict, SystemTime::UNIX_EPOCH, Duration::ZERO, ledger)
    }
}
