//! `cells-conformance merge`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::output::Output;
use super::{complain, usage_error};
use conformance_suite::engine::{self, Selection, counted};
use conformance_suite::report::{ReportFile, try_paths};

/// Join the records of shards, or of tests on several machines, to one run.
#[derive(Debug, Args)]
pub(super) struct Merge {
    /// Records of all parts: files that `run --shard ... --report json=FILE` wrote, or folders that
    /// tests filled (CELLS_RECORD_DIR), as with `cargo nextest run --partition`
    #[arg(value_name = "RECORD", required = true)]
    records: Vec<PathBuf>,
    // The help names every form.
    #[arg(long = "report", value_name = "FORM=PATH", help = ReportFile::help())]
    reports: Vec<ReportFile>,
    /// Records of tests: the scenarios that the tests were to run, a part of the name, or a pattern
    /// with `*` (repeatable; by default all)
    #[arg(long = "filter", value_name = "FILTER")]
    filters: Vec<String>,
}

impl Merge {
    pub(super) fn execute(&self) -> ExitCode {
        match self.merge() {
            Ok(exit_code) => exit_code.into(),
            Err(why) => usage_error(&why),
        }
    }

    /// Merges and reports.
    ///
    /// # Errors
    ///
    /// If nothing was merged.
    fn merge(&self) -> Result<engine::ExitCode, String> {
        try_paths(&self.reports, &[])?;
        let expected = Selection { filters: self.filters.clone(), ..Selection::default() };
        let (record, parts) = engine::merge(&self.records, &expected)?;
        let mut output = Output::beside(&self.reports);
        output.summary(&record, false);
        complain(&record);
        eprintln!("{} merged: {}", counted(parts, "record"), record.conclusion);
        Ok(output.finish(&record, &self.reports, None))
    }
}
