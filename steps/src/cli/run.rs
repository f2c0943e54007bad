//! `cells-conformance run`.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;
use std::thread::available_parallelism;
use std::time::{Instant, SystemTime};

use clap::Args;

use super::select::Selection;
use super::{launch, reference_router, usage_error};
use crate::catalog::{Case, Catalog};
use crate::claims;
use crate::ledger::Ledger;
use crate::report::data::Router;
use crate::report::{Description, Terminal, Wanted, collect, write};
use crate::router_file::RouterFile;
use crate::stage::RouterCommand;
use crate::suite::{Conclusion, Ended, run_all};
use crate::verdict::{Outcome, Verdict};

/// Runs scenarios.
#[derive(Debug, Default, Args)]
pub(super) struct Run {
    #[command(flatten)]
    selection: Selection,
    /// A router file: what the router is, how it is started, what it claims and is known to fail
    #[arg(long, value_name = "FILE", conflicts_with = "command")]
    router_file: Option<PathBuf>,
    /// The command that starts the router under test, with its arguments, in which `{topology}`,
    /// `{listen}`, `{region}` and `{protocol}` are replaced; the reference router where none is given
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<OsString>,
    /// A report to write: json, html, junit, markdown or badge, and where to (repeatable)
    #[arg(long = "report", value_name = "FORM=PATH")]
    reports: Vec<Wanted>,
    /// How many scenarios run side by side
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    /// Chooses among equal possibilities, as printed with an earlier run
    #[arg(long, value_name = "NUMBER")]
    seed: Option<u64>,
}

/// The router under test.
struct Subject {
    command: RouterCommand,
    file: Option<RouterFile>,
    described: Router,
}

impl Run {
    pub(super) fn execute(&self) -> ExitCode {
        match self.run() {
            Ok(conclusion) => ExitCode::from(conclusion as u8),
            Err(why) => usage_error(&why),
        }
    }

    fn run(&self) -> Result<Conclusion, String> {
        let catalog = Catalog::embedded();
        for fault in &catalog.faults {
            eprintln!("SUITE ERROR {}\n  {}", fault.name, fault.message);
        }
        let subject = self.subject()?;
        let ledger = Ledger::embedded();
        let selected = self.selection.of(&catalog.cases, ledger)?;
        let seed = self.seed.unwrap_or_else(|| rand::random::<u32>().into());
        // Scenarios wait more than they compute.
        let jobs = self.jobs.unwrap_or_else(|| 2 * available_parallelism().map_or(1, usize::from));
        let (began, clock) = (SystemTime::now(), Instant::now());

        let (to_run, skipped) = apart(selected, subject.file.as_ref());
        let mut terminal = Terminal::new(ledger);
        let mut ended = run_all(&to_run, &launch(subject.command, seed), ledger, jobs, |event| terminal.tell(event));
        ended.extend(skipped.iter().map(|(case, why)| not_applicable(case, why)));
        let mut complaints = subject.file.as_ref().map(|file| claims::settle(&mut ended, file)).unwrap_or_default();
        let conclusion = Conclusion::of(ended.iter().map(|one| &one.verdict.outcome));
        let conclusion = if complaints.is_empty() { conclusion } else { conclusion.max(Conclusion::NotConformant) };
        let conclusion = if catalog.faults.is_empty() { conclusion } else { Conclusion::SuiteFault };
        complaints.extend(catalog.faults.iter().map(|fault| fault.message.clone()));

        terminal.summary(&ended).map_err(|error| format!("the summary could not be written: {error}"))?;
        for complaint in &complaints {
            eprintln!("  {complaint}");
        }
        if conclusion != Conclusion::Conformant {
            eprintln!("seed {seed}");
        }
        let (router, took, selection) = (subject.described, clock.elapsed(), self.selection.words());
        let description = Description { router, began, took, seed, jobs, selection, complaints, conclusion };
        if !self.reports.is_empty() {
            write(&collect(description, &ended, ledger), &self.reports).map_err(|error| error.to_string())?;
        }
        Ok(conclusion)
    }

    fn subject(&self) -> Result<Subject, String> {
        let lost = |error: io::Error| format!("the router cannot be found: {error}");
        if let Some(path) = &self.router_file {
            let file = RouterFile::read(path).map_err(|error| error.to_string())?;
            let arguments: Vec<OsString> = file.command.iter().skip(1).map(Into::into).collect();
            let command = RouterCommand { program: file.program().map_err(lost)?.into(), arguments };
            let described = Router {
                name: file.name.clone(),
                version: file.version.clone(),
                url: file.url.clone(),
                contact: file.contact.clone(),
                command: file.command.clone(),
                protocols: file.protocol_names(),
                capabilities: file.capabilities.iter().map(|capability| capability.as_str().to_owned()).collect(),
            };
            return Ok(Subject { command, file: Some(file), described });
        }
        let (name, command) = match self.command.split_first() {
            Some((program, arguments)) => (program.to_string_lossy().into_owned(), RouterCommand::new(program, arguments).map_err(lost)?),
            None => ("reference router".to_owned(), reference_router(std::env::current_exe().map_err(lost)?)),
        };
        let words = self.command.iter().map(|word| word.to_string_lossy().into_owned()).collect();
        let is_reference = self.command.is_empty();
        let described = Router {
            name,
            version: is_reference.then(|| env!("CARGO_PKG_VERSION").to_owned()),
            command: if is_reference { vec!["cells-conformance".to_owned(), "router".to_owned()] } else { words },
            ..Router::default()
        };
        Ok(Subject { command, file: None, described })
    }
}

/// The cases to run, and those that are not for this router, with the reason.
fn apart(cases: Vec<Case>, file: Option<&RouterFile>) -> (Vec<Case>, Vec<(Case, String)>) {
    let mut to_run = Vec::new();
    let mut skipped = Vec::new();
    for case in cases {
        let why = match file {
            Some(file) => claims::not_applicable(&case, file),
            None => case.capability().map(|capability| format!("nothing claims {capability}; a router file can")),
        };
        match why {
            Some(why) => skipped.push((case, why)),
            None => to_run.push(case),
        }
    }
    (to_run, skipped)
}

fn not_applicable<'a>(case: &'a Case, why: &str) -> Ended<'a> {
    Ended { case, verdict: Verdict::of(Outcome::NotApplicable(why.to_owned())), took: std::time::Duration::ZERO }
}
