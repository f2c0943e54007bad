//! `cells-conformance run`.

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, ValueEnum};
use serde_json::json;

use super::select::{PartOptions, SelectionOptions};
use super::subject::WhichRouter;
use super::usage_error;
use crate::catalog::{Case, Catalog};
use crate::engine::claims::{ClaimedBy, unchecked};
use crate::engine::record::RunRecord;
use crate::engine::{self, Conclusion, Event, RunPlan, Subject, usual_jobs};
use crate::ledger::Ledger;
use crate::report::{ReportFile, Terminal, shard_line, write};
use crate::stage::{Launch, Waits};
use crate::verdict::Verdict;

/// Run scenarios.
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
    /// Write a draft of known failures for the router file to this file
    #[arg(long, value_name = "FILE")]
    write_known_failures: Option<PathBuf>,
    /// Format of standard output
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Name every scenario that did not pass, not an example for each cause
    #[arg(long)]
    all_failures: bool,
    /// Parallel jobs
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// Random seed; reuse it to reproduce a run
    #[arg(long, value_name = "NUMBER")]
    seed: Option<u64>,
    /// Wait before each scenario's first request and show the addresses, for a debugger
    #[arg(long)]
    hold: bool,
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
    pub(super) fn execute(&self) -> ExitCode {
        match self.run() {
            Ok(conclusion) => conclusion.exit_code().into(),
            Err(why) => usage_error(&why),
        }
    }

    fn run(&self) -> Result<Conclusion, String> {
        let (catalog, ledger) = (Catalog::embedded(), Ledger::embedded());
        for fault in &catalog.errors {
            eprintln!("SUITE ERROR {}\n  {}", fault.name, fault.message);
        }
        let subject = self.router.subject()?;
        let chosen = self.part.of(self.selection.selection(), &catalog, ledger)?;
        let launch = Launch {
            routers: subject.routers.clone(),
            hold: self.hold,
            cell_mutant: None,
            waits: Waits::default(),
            seed: self.seed.or(chosen.seed).unwrap_or_else(|| rand::random::<u32>().into()),
        };
        let plan = RunPlan {
            catalog: &catalog,
            ledger,
            selection: &chosen.selection,
            subject: &subject,
            launch: &launch,
            jobs: self.jobs(&subject),
        };
        let mut terminal = Terminal::new(ledger, &subject.claims.known_failures);
        let record = engine::run(&plan, |event| {
            if let (Format::Json, Event::Finished { case, verdict, took }) = (self.format, &event) {
                line(case, verdict, *took);
            }
            terminal.tell(event);
        })?;
        self.show(&terminal, &record, &subject)
            .map_err(|error| format!("standard output: {error}"))?;
        if let Some(path) = &self.write_known_failures {
            draft(path, &record)?;
        }
        write(&record, &self.reports).map_err(|error| error.to_string())?;
        Ok(record.concluded())
    }

    /// Parallel jobs. Running routers serve one scenario at a time, and so does a person who looks
    /// on.
    fn jobs(&self, subject: &Subject) -> usize {
        if subject.is_shared() || self.hold {
            return 1;
        }
        self.jobs.map_or_else(usual_jobs, NonZeroUsize::get)
    }

    /// Shows the result on standard output, and notes beside it on standard error.
    fn show(
        &self,
        terminal: &Terminal<'_>,
        record: &RunRecord,
        subject: &Subject,
    ) -> io::Result<()> {
        match self.format {
            Format::Text => terminal.summary(record, self.all_failures)?,
            Format::Json => {
                terminal.clear();
                let (conclusion, scenarios) = (&record.conclusion, record.scenarios.len());
                let line = json!({ "conclusion": conclusion, "scenarios": scenarios });
                writeln!(io::stdout(), "{line}")?;
            }
        }
        record.complaints.iter().for_each(|complaint| eprintln!("  {complaint}"));
        if let Some(line) = shard_line(record) {
            eprintln!("{line}");
        }
        // Without a router file, a capability is claimed for the reference router by this program.
        let unchecked = match subject.claims.by {
            ClaimedBy::RouterFile => unchecked(&record.scenarios, &subject.claims),
            ClaimedBy::Program | ClaimedBy::TestProgram => Vec::new(),
        };
        if !unchecked.is_empty() {
            eprintln!("claimed, but not tested by this run: {}", unchecked.join(", "));
        }
        if !matches!(record.concluded(), Conclusion::Conformant | Conclusion::NoFailure) {
            eprintln!("seed {}", record.run.seed);
        }
        Ok(())
    }
}

/// A scenario as a line of JSON.
fn line(case: &Case, verdict: &Verdict, took: Duration) {
    let violated: Vec<_> =
        verdict.findings.iter().map(|finding| finding.requirement.to_string()).collect();
    let line = json!({
        "name": case.name,
        "outcome": verdict.outcome.word(),
        "violated": violated,
        "took_ms": took.as_millis() as u64,
    });
    // A reader that has seen enough is not an error.
    let _ = writeln!(io::stdout(), "{line}");
}

/// Writes entries for a router file. The link is left to the vendor: without one the file is
/// refused.
fn draft(path: &Path, record: &RunRecord) -> Result<(), String> {
    let mut text = String::from(
        "# A draft: each entry needs your own reason, and a link to where to read more.\n",
    );
    let is_failure = |word: &str| matches!(word, "failed" | "warned");
    for case in record.scenarios.iter().filter(|case| is_failure(&case.outcome.word)) {
        let name = case.name.rsplit_once('[').map_or(case.name.as_str(), |(bare, _)| bare);
        let found = case.findings.first();
        let found = found.map(|found| format!("{}: {}", found.requirement, found.message));
        // TOML reads the strings of JSON.
        let value = |text: &str| serde_json::Value::from(text).to_string();
        text.push_str(&format!(
            "\n[[known_failure]]\nscenario = {}\nprotocol = {}\nreason = {}\nlink = \"\"\n",
            value(name),
            value(&case.protocol),
            value(&found.unwrap_or_default())
        ));
    }
    std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}
