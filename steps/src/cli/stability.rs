//! `cells-conformance stability`: the same scenarios many times, to find flaky ones.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Instant;

use clap::Args;

use super::select::SelectionOptions;
use super::usage_error;
use crate::catalog::Catalog;
use crate::engine::{Conclusion, Ended, run_all, usual_jobs};
use crate::launch::{launch, reference_router};
use crate::ledger::Ledger;
use crate::router_file::reference_claims;
use crate::verdict::Outcome;

/// Run scenarios many times against the reference router and count failures by cause.
#[derive(Debug, Args)]
pub(super) struct Stability {
    #[command(flatten)]
    selection: SelectionOptions,
    /// Number of rounds; each runs every selected scenario once
    #[arg(long, value_name = "N", default_value_t = 20)]
    times: u64,
    /// Number of threads that keep cores busy beside the suite
    #[arg(long, value_name = "N", default_value_t = 0)]
    load: usize,
    /// Parallel jobs
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
}

impl Stability {
    pub(super) fn execute(&self) -> ExitCode {
        let catalog = Catalog::embedded();
        let cases = match self.selection.of(&catalog.cases, Ledger::embedded()) {
            Ok(_) if self.times == 0 => return usage_error("nothing to run: `--times 0`"),
            Ok(cases) => cases,
            Err(why) => return usage_error(&why),
        };
        // A scenario that the reference router does not claim to pass would count as flaky.
        let cases: Vec<_> =
            cases.into_iter().filter(|case| reference_claims(case.capability())).collect();
        if cases.is_empty() {
            return usage_error(
                "nothing to run: the reference router does not claim the capabilities of these \
                 scenarios",
            );
        }
        let Ok(program) = std::env::current_exe() else {
            return usage_error(
                "the path of this program, which it starts as the router, is not known",
            );
        };
        let jobs = self.jobs.unwrap_or_else(usual_jobs);
        let began = Instant::now();
        let mut tally = Tally::default();
        under_load(self.load, || {
            for round in 1..=self.times {
                let launch = launch(reference_router(program.clone()), round);
                let ended = run_all(&cases, &launch, Ledger::embedded(), jobs, |_| {});
                tally.add(&ended);
                eprintln!(
                    "round {round} of {}: {} failures so far, {:.0} s",
                    self.times,
                    tally.failures(),
                    began.elapsed().as_secs_f64()
                );
            }
        });
        match tally.write(self, began.elapsed().as_secs_f64()) {
            Ok(()) => tally.conclusion.unwrap_or(Conclusion::Incomplete).exit_code().into(),
            Err(error) => usage_error(&format!("standard output: {error}")),
        }
    }
}

/// Keeps this many threads busy while `work` runs.
fn under_load(threads: usize, work: impl FnOnce()) {
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
        work();
        done.store(true, Ordering::Relaxed);
    });
}

#[derive(Default)]
struct Tally {
    ran: usize,
    /// Failures by scenario and cause.
    causes: BTreeMap<(String, String), usize>,
    conclusion: Option<Conclusion>,
}

impl Tally {
    fn add(&mut self, ended: &[Ended<'_>]) {
        self.ran += ended.len();
        self.conclusion =
            self.conclusion.max(Some(Conclusion::of(ended.iter().map(|one| &one.verdict.outcome))));
        for one in ended {
            if let Some(cause) = cause(one) {
                *self.causes.entry((one.case.name.clone(), cause)).or_default() += 1;
            }
        }
    }

    fn failures(&self) -> usize {
        self.causes.values().sum()
    }

    fn write(&self, what: &Stability, seconds: f64) -> io::Result<()> {
        let mut out = io::stdout().lock();
        for ((name, cause), count) in &self.causes {
            writeln!(out, "{count:>5}  {name}\n       {cause}")?;
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
fn cause(one: &Ended<'_>) -> Option<String> {
    let found = || {
        one.verdict
            .findings
            .iter()
            .map(|finding| format!("{}: {}", finding.requirement, finding.message))
    };
    match &one.verdict.outcome {
        Outcome::Passed | Outcome::NotApplicable(_) | Outcome::KnownFailure { .. } => None,
        Outcome::Warned | Outcome::Failed => Some(found().collect::<Vec<_>>().join("; ")),
        Outcome::CouldNotRun(why) | Outcome::SuiteError(why) => {
            Some(why.lines().next().unwrap_or_default().to_owned())
        }
    }
}
