//! `cells-conformance stability`: the same scenarios many times, to find flaky ones.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Instant;

use clap::Args;

use super::select::SelectionOptions;
use super::subject::WhichRouter;
use super::{one_or_more, start_stores, usage_error};
use conformance_suite::engine::limits::Limits;
use conformance_suite::engine::record::{CaseRecord, RunRecord};
use conformance_suite::engine::{self, Conclusion, RunPlan, counted, usual_jobs};
use conformance_suite::ledger::Ledger;
use conformance_suite::standard_streams::write_output;
use conformance_suite::verdict::Outcome;

/// Run scenarios many times and count failures by cause.
#[derive(Debug, Args)]
pub(super) struct Stability {
    #[command(flatten)]
    selection: SelectionOptions,
    #[command(flatten)]
    router: WhichRouter,
    /// Number of rounds; each runs every selected scenario once
    #[arg(long, value_name = "N", default_value_t = 20)]
    times: u64,
    /// Number of threads that keep cores busy beside the suite
    #[arg(long, value_name = "N", default_value_t = 0)]
    load: usize,
    /// Parallel jobs
    #[arg(long, value_name = "N", value_parser = one_or_more)]
    jobs: Option<NonZeroUsize>,
}

impl Stability {
    pub(super) fn execute(&self) -> ExitCode {
        match self.run() {
            Ok(exit_code) => exit_code.into(),
            Err(why) => usage_error(&why),
        }
    }

    fn run(&self) -> Result<engine::ExitCode, String> {
        let (catalog, ledger) = (self.selection.catalog()?, Ledger::embedded());
        let selection = self.selection.selection();
        let cases = selection.of(&catalog.cases, ledger)?;
        if self.times == 0 {
            return Err("nothing to run: `--times 0`".to_owned());
        }
        let subject = self.router.subject()?;
        if cases.iter().all(|case| subject.claims.not_applicable(case).is_some()) {
            return Err("nothing to run: these scenarios do not apply to the router".to_owned());
        }
        start_stores()?;
        let jobs = match subject.is_shared() {
            true => 1,
            false => self.jobs.map_or_else(usual_jobs, NonZeroUsize::get),
        };
        let began = Instant::now();
        let mut tally = Tally::default();
        under_load(self.load, || {
            (1..=self.times).try_for_each(|round| {
                let launch = subject.launch(round);
                let plan = RunPlan {
                    catalog: &catalog,
                    ledger,
                    selection: &selection,
                    subject: &subject,
                    launch: &launch,
                    jobs,
                    limits: Limits::default(),
                };
                tally.add(&engine::run(&plan, |_| {})?);
                eprintln!(
                    "round {round} of {}: {} so far, {:.0} s",
                    self.times,
                    counted(tally.failures(), "failure"),
                    began.elapsed().as_secs_f64()
                );
                Ok::<_, String>(())
            })
        })?;
        let seconds = began.elapsed().as_secs_f64();
        if let Err(why) = write_output(|out| tally.write(self, seconds, out)) {
            eprintln!("error: {why}");
            return Ok(engine::ExitCode::NotWritten);
        }
        Ok(tally.conclusion.unwrap_or(Conclusion::Incomplete).exit_code())
    }
}

/// Keeps this many threads busy while `work` runs.
fn under_load<R>(threads: usize, work: impl FnOnce() -> R) -> R {
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let mut number: u64 = 1;
                while !done.load(Ordering::Relaxed) {
                    for _ in 0..10_000 {
                        number = std::hint::black_box(
                            number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1),
                        );
                    }
                }
            });
        }
        let result = work();
        done.store(true, Ordering::Relaxed);
        result
    })
}

#[derive(Default)]
struct Tally {
    ran: usize,
    /// Failures by scenario and cause.
    causes: BTreeMap<(String, String), usize>,
    conclusion: Option<Conclusion>,
    /// How often the scenarios of each flaky known failure failed and passed.
    flaky: BTreeMap<String, (usize, usize)>,
}

impl Tally {
    fn add(&mut self, record: &RunRecord) {
        self.conclusion = self.conclusion.max(Some(record.conclusion));
        for entry in &record.flaky {
            let (failed, passed) = self.flaky.entry(entry.scenario.clone()).or_default();
            *failed += entry.failed;
            *passed += entry.passed;
        }
        for case in &record.scenarios {
            let outcome = Outcome::from(&case.outcome);
            self.ran += usize::from(!matches!(outcome, Outcome::NotApplicable(_)));
            if let Some(cause) = cause(case, &outcome) {
                *self.causes.entry((case.name.clone(), cause)).or_default() += 1;
            }
        }
    }

    fn failures(&self) -> usize {
        self.causes.values().sum()
    }

    fn write(&self, what: &Stability, seconds: f64, out: &mut dyn Write) -> io::Result<()> {
        for ((name, cause), count) in &self.causes {
            writeln!(out, "{count:>5}  {name}\n       {cause}")?;
        }
        for (name, (failed, passed)) in &self.flaky {
            writeln!(out, "flaky: {failed} failed, {passed} passed: {name}")?;
        }
        let (runs, times, load) = (self.ran, what.times, what.load);
        writeln!(
            out,
            "scenario runs: {runs}, rounds: {times}, busy threads: {load}, seconds: {seconds:.0}, \
             failures: {}",
            self.failures()
        )
    }
}

/// Why a case did not pass, in a line that is the same in each round; `None` if it passed.
fn cause(case: &CaseRecord, outcome: &Outcome) -> Option<String> {
    let found = || {
        case.findings.iter().map(|finding| format!("{}: {}", finding.requirement, finding.message))
    };
    match outcome {
        Outcome::Passed | Outcome::NotApplicable(_) | Outcome::KnownFailure { .. } => None,
        Outcome::Warned | Outcome::Failed => Some(found().collect::<Vec<_>>().join("; ")),
        Outcome::CouldNotRun(why) | Outcome::NotRun(why) | Outcome::SuiteError(why) => {
            Some(why.lines().next().unwrap_or_default().to_owned())
        }
    }
}
