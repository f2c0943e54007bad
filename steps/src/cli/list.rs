//! `cells-conformance list`: the names of scenarios.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Args;

use super::select::Selection;
use super::usage_error;
use crate::catalog::Catalog;
use crate::engine;
use crate::ledger::Ledger;

/// List scenarios by name, with the requirements that they cite.
#[derive(Debug, Args)]
pub(super) struct List {
    #[command(flatten)]
    selection: Selection,
}

impl List {
    pub(super) fn execute(&self) -> ExitCode {
        let catalog = Catalog::embedded();
        let cases = match self.selection.of(&catalog.cases, Ledger::embedded()) {
            Ok(cases) => cases,
            Err(why) => return usage_error(&why),
        };
        let mut out = io::stdout().lock();
        for case in &cases {
            let ids: Vec<_> = case.requirements.iter().map(ToString::to_string).collect();
            // A reader that has seen enough (`| head`) is not an error.
            if writeln!(out, "{}  {}", case.name, ids.join(" ")).is_err() {
                break;
            }
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
