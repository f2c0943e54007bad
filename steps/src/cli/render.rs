//! `cells-conformance render`: other forms of a report that was written as JSON.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::usage_error;
use crate::report::data::Report;
use crate::report::{Wanted, write};

/// Writes other forms of a report.
#[derive(Debug, Args)]
pub(super) struct Render {
    /// The report, as `--report json=PATH` wrote it
    #[arg(value_name = "REPORT.json")]
    report: PathBuf,
    // The help names every form.
    #[arg(long = "report", value_name = "FORM=PATH", required = true, help = Wanted::help())]
    reports: Vec<Wanted>,
}

impl Render {
    pub(super) fn execute(&self) -> ExitCode {
        let path = self.report.display();
        let text = match std::fs::read_to_string(&self.report) {
            Ok(text) => text,
            Err(error) => return usage_error(&format!("{path} could not be read: {error}")),
        };
        match Report::from_json(&text) {
            Ok(report) => write(&report, &self.reports)
                .map_or_else(|error| usage_error(&error.to_string()), |()| ExitCode::SUCCESS),
            Err(why) => usage_error(&format!("{path} is {why}")),
        }
    }
}
