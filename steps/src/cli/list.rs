//! `cells-conformance list`.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Args;

use super::run::select;
use super::usage_error;
use crate::catalog::Catalog;

/// Lists scenarios.
#[derive(Debug, Args)]
pub(super) struct List {
    /// Names of scenarios: a part of the name, or a pattern with `*`; all where none is given
    filters: Vec<String>,
}

impl List {
    pub(super) fn execute(&self) -> ExitCode {
        let catalog = Catalog::embedded();
        let cases = select(&catalog.cases, &self.filters);
        if cases.is_empty() {
            return usage_error("no scenario is named like that");
        }
        let mut out = io::stdout().lock();
        for case in &cases {
            let ids: Vec<_> = case.requirements.iter().map(ToString::to_string).collect();
            // A reader that has seen enough (`| head`) is no error.
            if writeln!(out, "{}  {}", case.name, ids.join(" ")).is_err() {
                break;
            }
        }
        for fault in &catalog.faults {
            eprintln!("SUITE ERROR {}\n  {}", fault.name, fault.message);
        }
        if catalog.faults.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(4) }
    }
}
