//! `cells-lab stability`: the same scenarios many times, to find flaky ones.

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::time::Instant;

use clap::Args;

use crate::cli::output::{Ended, Failed, stop_on_signals};
use crate::cli::select::SelectionOptions;
use crate::cli::subject::{WhichRouter, start_stores};
use crate::cli::values::one_or_more;
use conformance_laboratory::stability::{Repetition, Tally};
use conformance_suite::engine::{Conclusion, counted, usual_jobs};
use conformance_suite::ledger::Ledger;
use conformance_suite::report::notes;
use conformance_suite::standard_streams::write_output;
use conformance_suite::verdict::OutcomeWord;

/// Run scenarios many times and count failures by cause
#[derive(Debug, Args)]
pub(super) struct Stability {
    #[command(flatten)]
    selection: SelectionOptions,
    #[command(flatten)]
    router: WhichRouter,
    /// Number of rounds; each runs every selected scenario once
    #[arg(long, value_name = "N", default_value_t = 20)]
    times: u64,
    /// Number of threads that keep cores busy during the suite
    #[arg(long, value_name = "N", default_value_t = 0)]
    load: usize,
    /// Parallel jobs
    #[arg(long, value_name = "N", value_parser = one_or_more)]
    jobs: Option<NonZeroUsize>,
}

impl Stability {
    pub(super) fn execute(&self) -> Ended {
        let (catalog, ledger) = (self.selection.catalog()?, Ledger::embedded());
        let selection = self.selection.selection();
        let cases = selection.of(&catalog.cases, ledger)?;
        let &Self { times, load, .. } = self;
        if times == 0 {
            return Err(Failed::Usage("nothing to run: `--times 0`".to_owned()));
        }
        let subject = self.router.subject()?;
        if cases.iter().all(|case| subject.claims.not_applicable(case).is_some()) {
            let why = "nothing to run: these scenarios do not apply to the router";
            return Err(Failed::Usage(why.to_owned()));
        }
        start_stores()?;
        let jobs = match subject.is_shared() {
            true => 1,
            false => self.jobs.map_or_else(usual_jobs, NonZeroUsize::get),
        };
        let stop = stop_on_signals();
        let began = Instant::now();
        let repetition = Repetition {
            catalog: &catalog,
            ledger,
            selection: &selection,
            subject: &subject,
            jobs,
            times,
            load,
            stop: &stop,
        };
        let tally = repetition.run(|round, tally| {
            let seconds = began.elapsed().as_secs_f64();
            eprintln!("round {round} of {times}: {} so far, {seconds:.0} s", counts(tally));
        })?;
        let seconds = began.elapsed().as_secs_f64();
        if let Some(reason) = stop.reason() {
            eprintln!("ended early: {reason}");
        }
        let excluded = selection.left_out(&catalog.cases, ledger).len();
        write_output(|out| self.write(&tally, seconds, excluded, out))
            .map_err(Failed::NotWritten)?;
        Ok(tally.conclusion.unwrap_or(Conclusion::Incomplete).exit_code())
    }

    fn write(
        &self,
        tally: &Tally,
        seconds: f64,
        excluded: usize,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        for ((name, word, cause), count) in &tally.causes {
            let word = word.as_str().to_uppercase();
            writeln!(out, "{count:>5}  {word} {name}\n       {cause}")?;
        }
        for (complaint, rounds) in &tally.complaints {
            writeln!(out, "{rounds:>5}  {complaint}")?;
        }
        for (name, (failed, passed)) in &tally.flaky {
            writeln!(out, "flaky: {failed} failed, {passed} passed: {name}")?;
        }
        let (runs, times, load) = (tally.ran, tally.rounds, self.load);
        writeln!(
            out,
            "scenario runs: {runs}, rounds: {times}, busy threads: {load}, seconds: {seconds:.0}, {}",
            counts(tally)
        )?;
        // What was left out accompanies the conclusion, as in `run`.
        let selection = self.selection.selection();
        if let Some(excluded) = notes::excluded(&selection.words(), excluded) {
            writeln!(out, "{excluded}")?;
        }
        let conclusion = tally.conclusion.unwrap_or(Conclusion::Incomplete);
        writeln!(out, "conclusion: {conclusion}")
    }
}

/// Failures, warnings and known failures of all rounds in words.
fn counts(tally: &Tally) -> String {
    let warnings = counted(tally.count(OutcomeWord::Warned), "warning");
    let known = counted(tally.known, "known failure");
    let undecided = match tally.count(OutcomeWord::CouldNotRun) {
        0 => String::new(),
        some => format!(", {some} without a verdict"),
    };
    format!("{}, {warnings}, {known}{undecided}", counted(tally.failures(), "failure"))
}
