//! `cells-conformance run`.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::explore::explored;
use super::output::{Ended, Failed, Output, complain, stop_on_signals};
use super::select::{PartOptions, SelectionOptions};
use super::subject::{WhichRouter, say, start_stores};
use super::values::{one_or_more, some_time};
use super::watch::{WatchedFiles, files_of};
use conformance_suite::engine::claims::{ClaimedBy, unchecked};
use conformance_suite::engine::limits::Limits;
use conformance_suite::engine::record::{EndedBy, RunRecord};
use conformance_suite::engine::{
    self, Event, ExitCode, RunPlan, Selection, Subject, counted, throttled, usual_jobs,
};
use conformance_suite::ledger::Ledger;
use conformance_suite::report::{
    Form, ReportFile, Terminal, draft, header, json_lines, notes, shard_line, try_paths,
};
use conformance_suite::stage::{Launch, Stop, StopReason};
use conformance_suite::verdict::OutcomeWord;

/// After how many routers in a row that do not start a run ends.
const START_FAILURES: usize = 5;
const REPETITIONS: u64 = 3;

/// Run scenarios (default command)
#[derive(Debug, Default, Args)]
pub(super) struct Run {
    #[command(flatten)]
    selection: SelectionOptions,
    #[command(flatten)]
    part: PartOptions,
    #[command(flatten)]
    router: WhichRouter,
    // The help names every form.
    #[arg(long = "report", value_name = "FORM=PATH", help = ReportFile::help())]
    reports: Vec<ReportFile>,
    /// Format of standard output
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Name every scenario that did not pass, not an example for each cause
    #[arg(short, long)]
    verbose: bool,
    /// End the run after the first failure, or after N; what was run is reported, and the run is
    /// marked incomplete. Known failures do not count, and scenarios that run at the same time end
    /// as usual, so that more may fail (`--jobs 1` for none). Without it, and with any N but 0, a run
    /// ends when the router did not start in five scenarios in a row
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true, default_missing_value = "1")]
    fail_fast: Option<usize>,
    /// Run again whenever the program or a script of the router, what the router file names
    /// (`watch = ["router.js"]`), the file itself or a feature changes; Ctrl-C ends it
    #[arg(long)]
    watch: bool,
    /// Parallel jobs; a scenario that only waits holds none, one whose router starts slowly a part
    /// of one, and 1 means one scenario at a time
    #[arg(long, value_name = "N", value_parser = one_or_more)]
    jobs: Option<NonZeroUsize>,
    /// Random seed; reuse it to reproduce a run
    #[arg(long, value_name = "NUMBER")]
    seed: Option<u64>,
    /// Explore random journeys as well, for this time, like 60s; what they violate counts like any
    /// other failure
    #[arg(long, value_name = "TIME", value_parser = some_time)]
    #[arg(conflicts_with_all = ["shard", "features"])]
    explore: Option<Duration>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
enum Format {
    /// A summary for people
    #[default]
    Text,
    /// One line of JSON for each scenario, and one for the conclusion
    Json,
}

impl Run {
    pub(super) fn execute(&self) -> Ended {
        let stop = stop_on_signals();
        let (mut exit_code, mut files) = self.run(&stop)?;
        while self.watch && stop.reason().is_none() {
            let text = format!("watching for changes, Ctrl-C ends it: {}", files.names());
            eprintln!("");
            say(&text);
            let Some(changed) = files.wait(&stop) else { break };
            let names: Vec<_> = changed.iter().map(|path| path.display().to_string()).collect();
            eprintln!("\nchanged: {}", names.join(", "));
            match self.run(&stop) {
                Ok(again) => (exit_code, files) = again,
                // A file that is being edited is mended with the next change.
                Err(why) => {
                    Failed::Usage(why).tell();
                    files.look_again();
                }
            }
        }
        Ok(exit_code)
    }

    /// Runs once. Returns how the run ended, and the files whose change makes another run worth
    /// while.
    /// It is an error if nothing was run.
    fn run(&self, stop: &Stop) -> Result<(ExitCode, WatchedFiles), String> {
        self.check_outputs()?;
        start_stores()?;
        let (catalog, ledger) = (self.selection.catalog()?, Ledger::embedded());
        for fault in &catalog.errors {
            eprintln!("SUITE ERROR {}\n  {}", fault.name, fault.message);
        }
        let subject = self.router.subject()?;
        let mut watched = files_of(&subject.routers);
        watched.extend(self.selection.selection().features.into_iter().map(PathBuf::from));
        watched.extend(self.router.file());
        watched.extend(self.router.watched()?);
        let files = WatchedFiles::new(watched);
        let chosen = self.part.select(self.selection.selection(), &catalog, ledger)?;
        let seed = self.seed.or(chosen.seed).unwrap_or_else(|| rand::random::<u32>().into());
        let launch = Launch { stop: stop.clone(), ..subject.launch(seed) };
        let plan = RunPlan {
            catalog: &catalog,
            ledger,
            selection: &chosen.selection,
            subject: &subject,
            launch: &launch,
            jobs: self.jobs(&subject),
            limits: self.limits(),
        };
        if let Some(line) = throttled(plan.jobs) {
            say(&line);
        }
        let excluded = {
            let count = chosen.selection.left_out(&catalog.cases, ledger).len();
            notes::excluded(&chosen.selection.words(), count)
        };
        let mut terminal = Terminal::on_standard_error();
        let mut output = Output::beside(&self.reports);
        let (drafts, reports): (Vec<_>, Vec<_>) =
            self.reports.iter().cloned().partition(|file| file.form == Form::KnownFailures);
        let mut told = BTreeSet::new();
        let mut record = engine::run(&plan, |event| {
            match &event {
                Event::Began { cases, left_out } => {
                    let mut line = header(&subject.described, *cases, *left_out);
                    if let Some(excluded) = &excluded {
                        line.push_str(&format!("; {excluded}"));
                    }
                    match self.format {
                        Format::Text => output.sentence(&line),
                        Format::Json => eprintln!("{line}"),
                    }
                }
                Event::Finished(one) if self.format == Format::Json => {
                    output.part(&json_lines::scenario(one));
                    told.insert(one.case.name.clone());
                }
                Event::Started { .. } | Event::Finished(_) => {}
            }
            terminal.tell(event);
        })?;
        if let Some(time) = self.explore.filter(|_| record.incomplete.is_none()) {
            terminal.clear();
            let jobs = self.jobs.map(NonZeroUsize::get);
            record.add_exploration(explored(&subject, &launch, time, jobs)?, &catalog)?;
        }
        match self.format {
            Format::Text => output.summary(&record, self.verbose),
            Format::Json => {
                terminal.clear();
                let left_out = record.scenarios.iter().filter(|case| !told.contains(&case.name));
                left_out.for_each(|case| output.part(&json_lines::left_out(case)));
                output.part(&json_lines::conclusion(&record));
                // A summary for people has this line already.
                shard_line(&record).into_iter().for_each(|line| eprintln!("{line}"));
            }
        }
        if self.watch {
            self.tell_of_changes(&files);
        }
        self.remarks(&record, &subject);
        if record.incomplete.as_ref().is_some_and(|end| end.ended_by == EndedBy::ClosedOutput) {
            // Nobody reads the summary.
            eprintln!("the run ended early: {}", StopReason::OutputClosed);
        }
        // Before the repetitions, which may take long and may be interrupted.
        output.reports(&record, &reports);
        if !drafts.is_empty() {
            let failed = draft::failed(&record);
            if failed.is_empty() {
                say("the draft of known failures has no entry: no scenario failed, and warnings \
                     need none");
            }
            let plan = RunPlan { limits: Limits::default(), ..plan };
            let passed = passed_when_repeated(&plan, failed)?;
            output.texts(&draft::text(&record, &catalog.cases, &passed), &drafts);
        }
        Ok((output.finish(&record, None), files))
    }

    /// Says which files changed while the scenarios ran: their outcomes are those of no one router.
    fn tell_of_changes(&self, files: &WatchedFiles) {
        let changed = files.changed();
        if !changed.is_empty() {
            let names: Vec<_> = changed.iter().map(|path| path.display().to_string()).collect();
            say(&format!(
                "changed while this ran, so that what failed may be due to it: {}",
                names.join(", ")
            ));
        }
    }

    fn check_outputs(&self) -> Result<(), String> {
        let is_taken = self.reports.iter().any(ReportFile::is_for_standard_output);
        if self.format == Format::Json && is_taken {
            return Err("two outputs go to standard output: `--format json` and a report to `-`; \
                        give the report a path"
                .to_owned());
        }
        try_paths(&self.reports, &[])
    }

    fn limits(&self) -> Limits {
        let failures = self.fail_fast.and_then(NonZeroUsize::new);
        let never = self.fail_fast == Some(0);
        Limits { failures, start_failures: NonZeroUsize::new(START_FAILURES).filter(|_| !never) }
    }

    /// Parallel jobs. Running routers serve one scenario at a time.
    fn jobs(&self, subject: &Subject) -> usize {
        if subject.is_shared() {
            return 1;
        }
        self.jobs.map_or_else(usual_jobs, NonZeroUsize::get)
    }

    /// Writes what accompanies the result to standard error.
    fn remarks(&self, record: &RunRecord, subject: &Subject) {
        // The summary has them, too.
        if self.format == Format::Json {
            complain(record);
        }
        // Without a router file, a capability is claimed for the reference router by this program.
        let unchecked = match subject.claims.by {
            // A selection tests what it selects, and its author knows.
            ClaimedBy::RouterFile
                if record.run.selection.is_empty() && record.run.part.is_none() =>
            {
                unchecked(&record.scenarios, &subject.claims)
            }
            _ => Vec::new(),
        };
        if !unchecked.is_empty() {
            eprintln!("claimed, but not tested by this run: {}", unchecked.join(", "));
        }
        if !record.conclusion.is_good() {
            eprintln!("seed {}", record.run.seed);
        }
    }
}

/// The names of the scenarios that passed in at least one repetition. Each repetition has its own
/// seed.
fn passed_when_repeated(
    plan: &RunPlan<'_>,
    names: Vec<String>,
) -> Result<BTreeSet<String>, String> {
    let mut passed = BTreeSet::new();
    if names.is_empty() {
        return Ok(passed);
    }
    let features = plan.selection.features.clone();
    let count = counted(names.len(), "failure");
    let selection = Selection { features, filters: names, ..Selection::default() };
    for turn in 1..=REPETITIONS {
        if plan.launch.stop.reason().is_some() {
            break;
        }
        eprintln!("repeating {count} for the draft of known failures, {turn} of {REPETITIONS}");
        let launch = Launch { seed: plan.launch.seed.wrapping_add(turn), ..plan.launch.clone() };
        let again = RunPlan { selection: &selection, launch: &launch, ..*plan };
        engine::run(&again, |event| {
            if let Event::Finished(one) = event
                && matches!(one.verdict.outcome.word, OutcomeWord::Passed | OutcomeWord::Warned)
            {
                passed.insert(one.case.name.clone());
            }
        })?;
    }
    Ok(passed)
}
