//! `cells-conformance list`: the names of scenarios.

use std::process::ExitCode;

use clap::Args;

use super::select::SelectionOptions;
use super::{not_written, usage_error};
use crate::catalog::Catalog;
use crate::engine;
use crate::ledger::Ledger;
use crate::standard_streams::write_output;

/// List scenarios by name, with the requirements that they cite.
#[derive(Debug, Args)]
pub(super) struct List {
    #[command(flatten)]
    selection: SelectionOptions,
}

impl List {
    pub(super) fn execute(&self) -> ExitCode {
        let catalog = Catalog::embedded();
        let cases = match self.selection.of(&catalog.cases, Ledger::embedded()) {
            Ok(cases) => cases,
            Err(why) => return usage_error(&why),
        };
        let written = write_output(|out| {
            cases.iter().try_for_each(|case| {
                let ids: Vec<_> = case.requirements.iter().map(ToString::to_string).collect();
                writeln!(out, "{}  {}", case.name, ids.join(" "))
            })
        });
        if let Err(why) = written {
            return not_written(&why);
        }
        for error in &catalog.errors {
            eprintln!("SUITE ERROR {}\n  {}", error.name, error.message);
        }
        if catalog.errors.is_empty() {
            ExitCode::SUCCESS
        } else {
            engine::ExitCode::SuiteFault.into()
        }
    }
}
