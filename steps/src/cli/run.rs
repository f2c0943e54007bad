//! `cells-conformance run`.

use std::ffi::OsString;
use std::io;
use std::process::ExitCode;
use std::thread::available_parallelism;

use clap::Args;

use super::{launch, reference_router, usage_error};
use crate::catalog::{Case, Catalog};
use crate::ledger::Ledger;
use crate::report::Terminal;
use crate::stage::RouterCommand;
use crate::suite::{Conclusion, run_all};

/// Runs scenarios.
#[derive(Debug, Default, Args)]
pub(super) struct Run {
    /// Names of scenarios: a part of the name, or a pattern with `*`; all where none is given
    filters: Vec<String>,
    /// How many scenarios run side by side
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    /// The command that starts the router under test, with its arguments, in which `{topology}`,
    /// `{listen}`, `{region}` and `{protocol}` are replaced; the reference router where none is given
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<OsString>,
    /// Chooses among equal possibilities, as printed with an earlier run
    #[arg(long, value_name = "NUMBER")]
    seed: Option<u64>,
}

impl Run {
    pub(super) fn execute(&self) -> ExitCode {
        let catalog = Catalog::embedded();
        for fault in &catalog.faults {
            eprintln!("SUITE ERROR {}\n  {}", fault.name, fault.message);
        }
        let cases = select(&catalog.cases, &self.filters);
        if cases.is_empty() {
            return usage_error(&format!(
                "no scenario is named like {}; `cells-conformance list` shows the names",
                self.filters.join(" or ")
            ));
        }
        let command = match self.router() {
            Ok(command) => command,
            Err(error) => return usage_error(&format!("the program cannot find itself, which it starts as the reference router: {error}")),
        };
        let seed = self.seed.unwrap_or_else(|| rand::random::<u32>().into());
        // Scenarios wait more than they compute.
        let jobs = self.jobs.unwrap_or_else(|| 2 * available_parallelism().map_or(1, usize::from));
        let ledger = Ledger::embedded();
        let mut terminal = Terminal::new(ledger);
        let ended = run_all(&cases, &launch(command, seed), ledger, jobs, |event| terminal.tell(event));
        if let Err(error) = terminal.summary(&ended) {
            return usage_error(&format!("the summary could not be written: {error}"));
        }
        let conclusion = Conclusion::of(ended.iter().map(|one| &one.verdict.outcome));
        let conclusion = if catalog.faults.is_empty() { conclusion } else { Conclusion::SuiteFault };
        if conclusion != Conclusion::Conformant {
            eprintln!("seed {seed}");
        }
        ExitCode::from(conclusion as u8)
    }

    fn router(&self) -> io::Result<RouterCommand> {
        Ok(match self.command.split_first() {
            Some((program, arguments)) => RouterCommand::new(program, arguments)?,
            None => reference_router(std::env::current_exe()?),
        })
    }
}

/// The cases that a filter names; all where there is no filter.
pub(super) fn select(cases: &[Case], filters: &[String]) -> Vec<Case> {
    let wanted = |case: &&Case| filters.is_empty() || filters.iter().any(|filter| case.matches(filter));
    cases.iter().filter(wanted).cloned().collect()
}
