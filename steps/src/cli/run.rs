//! `cells-conformance run`.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant, SystemTime};

use clap::{Args, ValueEnum};
use serde_json::json;

use super::select::Selection;
use super::subject::{Skip, Subject, WhichRouter};
use super::usage_error;
use crate::catalog::{Case, Catalog};
use crate::claims;
use crate::ledger::Ledger;
use crate::report::{Description, Terminal, Wanted, collect, write};
use crate::stage::{Launch, Waits};
use crate::suite::{Conclusion, Ended, Event, run_all, usual_jobs};
use crate::verdict::{Outcome, Verdict};

/// Run scenarios.
#[derive(Debug, Default, Args)]
pub(super) struct Run {
    #[command(flatten)]
    selection: Selection,
    #[command(flatten)]
    router: WhichRouter,
    /// A report to write: json, html, junit, markdown or badge, and where to (repeatable)
    #[arg(long = "report", value_name = "FORM=PATH")]
    reports: Vec<Wanted>,
    /// Drafts entries for a router file from what does not pass
    #[arg(long, value_name = "FILE")]
    write_known_failures: Option<PathBuf>,
    /// What is written on standard output
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// How many scenarios run side by side
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    /// Chooses among equal possibilities, as printed with an earlier run
    #[arg(long, value_name = "NUMBER")]
    seed: Option<u64>,
    /// Waits before each scenario's first request and shows the addresses, for a debugger
    #[arg(long)]
    hold: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
enum Format {
    /// A summary for people
    #[default]
    Text,
    /// A line of JSON for each scenario and one for the conclusion
    Json,
}

impl Run {
    pub(super) fn execute(&self) -> ExitCode {
        match self.run() {
            Ok(conclusion) => conclusion.exit_code().into(),
            Err(why) => usage_error(&why),
        }
    }

    fn run(&self) -> Result<Conclusion, String> {
        let catalog = Catalog::embedded();
        for fault in &catalog.errors {
            eprintln!("SUITE ERROR {}\n  {}", fault.name, fault.message);
        }
        let subject = self.router.subject()?;
        let ledger = Ledger::embedded();
        let selected = self.selection.of(&catalog.cases, ledger)?;
        let seed = self.seed.unwrap_or_else(|| rand::random::<u32>().into());
        let jobs = self.jobs(&subject);
        let (began, clock) = (SystemTime::now(), Instant::now());

        let (to_run, skipped) = apart(selected, &subject);
        let launch = Launch {
            routers: subject.routers.clone(),
            hold: self.hold,
            cell_mutant: None,
            waits: Waits::default(),
            seed,
        };
        let mut terminal = Terminal::new(ledger, self.router.words());
        let mut ended = run_all(&to_run, &launch, ledger, jobs, |event| {
            if let (Format::Json, Event::Finished { case, verdict, took }) = (self.format, &event) {
                line(case, verdict, *took);
            }
            terminal.tell(event);
        });
        ended.extend(skipped.iter().map(|(case, skip)| not_run(case, skip)));
        // In the order of the features, whether they were run or not.
        let place =
            |one: &Ended<'_>| catalog.cases.iter().position(|case| case.name == one.case.name);
        ended.sort_by_cached_key(place);
        let mut complaints = match &subject.file {
            Some(file) => claims::settle(&mut ended, file, &catalog.cases),
            None => claims::inconsistencies(&ended),
        };
        let conclusion = Conclusion::of(ended.iter().map(|one| &one.verdict.outcome));
        let conclusion = if complaints.is_empty() {
            conclusion
        } else {
            conclusion.max(Conclusion::NotConformant)
        };
        let conclusion =
            if catalog.errors.is_empty() { conclusion } else { Conclusion::SuiteFault };
        complaints.extend(catalog.errors.iter().map(|error| error.message.clone()));

        self.conclude(&terminal, &ended, conclusion)
            .map_err(|error| format!("standard output: {error}"))?;
        complaints.iter().for_each(|complaint| eprintln!("  {complaint}"));
        let unchecked =
            subject.file.as_ref().map(|file| claims::unchecked(&ended, file)).unwrap_or_default();
        if !unchecked.is_empty() {
            eprintln!("claimed, and no scenario of this run is about it: {}", unchecked.join(", "));
        }
        if conclusion != Conclusion::Conformant {
            eprintln!("seed {seed}");
        }
        if let Some(path) = &self.write_known_failures {
            draft(path, &ended)?;
        }
        if !self.reports.is_empty() {
            let (router, took, selection) =
                (subject.described, clock.elapsed(), self.selection.words());
            let description =
                Description { router, began, took, seed, jobs, selection, complaints, conclusion };
            write(&collect(description, &ended, ledger), &self.reports)
                .map_err(|error| error.to_string())?;
        }
        Ok(conclusion)
    }

    /// Routers that run already serve one at a time, and so
    /// does a person who looks on.
    fn jobs(&self, subject: &Subject) -> usize {
        if subject.is_shared() || self.hold {
            return 1;
        }
        self.jobs.unwrap_or_else(usual_jobs)
    }

    fn conclude(
        &self,
        terminal: &Terminal<'_>,
        ended: &[Ended<'_>],
        conclusion: Conclusion,
    ) -> io::Result<()> {
        match self.format {
            Format::Text => terminal.summary(ended),
            Format::Json => {
                terminal.clear();
                writeln!(
                    io::stdout(),
                    "{}",
                    json!({ "conclusion": conclusion.to_string(), "scenarios": ended.len() })
                )
            }
        }
    }
}

/// A scenario as a line of JSON.
fn line(case: &Case, verdict: &Verdict, took: Duration) {
    let violated: Vec<_> =
        verdict.findings.iter().map(|finding| finding.requirement.to_string()).collect();
    let line = json!({ "name": case.name, "outcome": verdict.outcome.word(), "violated": violated, "took_ms": took.as_millis() as u64 });
    // A reader that has seen enough is no error.
    let _ = writeln!(io::stdout(), "{line}");
}

/// The cases to run, and those that are not, with the reason.
fn apart(cases: Vec<Case>, subject: &Subject) -> (Vec<Case>, Vec<(Case, Skip)>) {
    let mut to_run = Vec::new();
    let mut skipped = Vec::new();
    for case in cases {
        match subject.skips(&case) {
            Some(skip) => skipped.push((case, skip)),
            None => to_run.push(case),
        }
    }
    (to_run, skipped)
}

fn not_run<'a>(case: &'a Case, skip: &Skip) -> Ended<'a> {
    let outcome = match skip {
        Skip::NotApplicable(why) => Outcome::NotApplicable(why.clone()),
        Skip::CouldNotRun(why) => Outcome::CouldNotRun(why.clone()),
    };
    Ended { case, verdict: Verdict::of(outcome), took: Duration::ZERO }
}

/// Entries for a router file. The link is left to the vendor: without one the file is refused.
fn draft(path: &Path, ended: &[Ended<'_>]) -> Result<(), String> {
    let mut text = String::from(
        "# A draft: each entry needs your own reason, and a link to where one reads more.\n",
    );
    for one in
        ended.iter().filter(|one| matches!(one.verdict.outcome, Outcome::Failed | Outcome::Warned))
    {
        let name = one.case.name.rsplit_once('[').map_or(one.case.name.as_str(), |(bare, _)| bare);
        let found = one
            .verdict
            .findings
            .first()
            .map(|finding| format!("{}: {}", finding.requirement, finding.message))
            .unwrap_or_default();
        // TOML reads the strings of JSON.
        let value = |text: &str| serde_json::Value::from(text).to_string();
        text.push_str(&format!(
            "\n[[known_failure]]\nscenario = {}\nprotocol = {}\nreason = {}\nlink = \"\"\n",
            value(name),
            value(one.case.protocol.as_str()),
            value(&found)
        ));
    }
    std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}
