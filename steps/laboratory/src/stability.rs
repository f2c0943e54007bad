//! The same scenarios many times, while threads keep cores busy: what fails how often, by
//! cause.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use conformance_suite::catalog::Catalog;
use conformance_suite::engine::limits::Limits;
use conformance_suite::engine::record::{CaseRecord, RunRecord};
use conformance_suite::engine::{Conclusion, RunPlan, Selection, Subject, run};
use conformance_suite::ledger::Ledger;
use conformance_suite::stage::{Launch, Stop};
use conformance_suite::verdict::OutcomeWord;

#[derive(Debug)]
pub struct Repetition<'a> {
    pub catalog: &'a Catalog,
    pub ledger: &'a Ledger,
    pub selection: &'a Selection,
    pub subject: &'a Subject,
    pub jobs: usize,
    /// Rounds; each runs every selected scenario once, with its own seed.
    pub times: u64,
    /// Threads that keep cores busy meanwhile.
    pub load: usize,
    /// What ends it before its time. What ran until then counts.
    pub stop: &'a Stop,
}

#[derive(Debug, Default)]
pub struct Tally {
    /// How many rounds ran, the last one perhaps in part.
    pub rounds: u64,
    /// How many scenarios ran in all rounds together.
    pub ran: usize,
    /// What did not pass, by scenario, outcome and cause.
    pub causes: BTreeMap<(String, OutcomeWord, String), usize>,
    /// What contradicted the router file, with the number of rounds.
    pub complaints: BTreeMap<String, usize>,
    /// How many scenarios failed as the router file says.
    pub known: usize,
    pub conclusion: Option<Conclusion>,
    /// How often the scenarios of each flaky known failure failed and passed.
    pub flaky: BTreeMap<String, (usize, usize)>,
}

impl Repetition<'_> {
    /// Runs all rounds; `tell` hears after each what they showed so far.
    pub fn run(&self, mut tell: impl FnMut(u64, &Tally)) -> Result<Tally, String> {
        let mut tally = Tally::default();
        under_load(self.load, || {
            for round in 1..=self.times {
                if self.stop.reason().is_some() {
                    break;
                }
                let plan = RunPlan {
                    catalog: self.catalog,
                    ledger: self.ledger,
                    selection: self.selection,
                    subject: self.subject,
                    launch: &Launch { stop: self.stop.clone(), ..self.subject.launch(round) },
                    jobs: self.jobs,
                    limits: Limits::default(),
                };
                tally.add(&run(&plan, |_| {})?);
                tell(round, &tally);
            }
            // Where it was stopped between two rounds, none of them says so.
            if tally.rounds < self.times && tally.conclusion < Some(Conclusion::NotConformant) {
                tally.conclusion = Some(Conclusion::Incomplete);
            }
            Ok(tally)
        })
    }
}

/// Keeps this many threads busy while `work` runs.
fn under_load<R>(threads: usize, work: impl FnOnce() -> R) -> R {
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    (0..10_000_u64).for_each(|number| _ = std::hint::black_box(number));
                }
            });
        }
        let result = work();
        done.store(true, Ordering::Relaxed);
        result
    })
}

impl Tally {
    /// How many scenarios failed in all rounds together, or in which the suite did. A warning
    /// is no failure, and what could not run, as where the machine stalled, has no verdict.
    pub fn failures(&self) -> usize {
        let others = [OutcomeWord::Warned, OutcomeWord::CouldNotRun].map(|word| self.count(word));
        self.causes.values().sum::<usize>() - others.into_iter().sum::<usize>()
    }

    /// How many scenarios had this outcome in all rounds together.
    pub fn count(&self, of: OutcomeWord) -> usize {
        let is_it = |((_, word, _), _): &(&(_, OutcomeWord, _), _)| *word == of;
        self.causes.iter().filter(is_it).map(|(_, count)| count).sum()
    }

    fn add(&mut self, record: &RunRecord) {
        use OutcomeWord::{NotApplicable, NotAsked, NotRun};
        self.rounds += 1;
        self.conclusion = self.conclusion.max(Some(record.conclusion));
        for entry in &record.flaky {
            let (failed, passed) = self.flaky.entry(entry.scenario.clone()).or_default();
            *failed += entry.failed;
            *passed += entry.passed;
        }
        for complaint in &record.complaints {
            *self.complaints.entry(complaint.clone()).or_default() += 1;
        }
        for case in &record.scenarios {
            self.known += usize::from(case.outcome.word == OutcomeWord::KnownFailure);
            let word = case.outcome.word;
            self.ran += usize::from(!matches!(word, NotApplicable | NotAsked | NotRun));
            if let Some(cause) = cause(case) {
                let key = (case.name.clone(), case.outcome.word, cause);
                *self.causes.entry(key).or_default() += 1;
            }
        }
    }
}

/// Why a case did not pass, in a line that is the same in each round; `None` if it passed.
fn cause(case: &CaseRecord) -> Option<String> {
    let found = || {
        case.findings.iter().map(|finding| format!("{}: {}", finding.requirement, finding.message))
    };
    match case.outcome.word {
        OutcomeWord::Warned | OutcomeWord::Failed => Some(found().collect::<Vec<_>>().join("; ")),
        OutcomeWord::CouldNotRun | OutcomeWord::SuiteError => {
            let why = case.outcome.reason();
            Some(why.lines().next().unwrap_or_default().to_owned())
        }
        _ => None,
    }
}
