//! `cells-conformance report merge`.

use std::path::PathBuf;

use clap::Args;

use crate::cli::ended::Ended;
use crate::cli::output::Output;
use conformance_suite::engine::{Selection, counted, merge};
use conformance_suite::report::{ReportFile, try_paths};

/// Join the records of shards, or of tests on several machines, to one run
#[derive(Debug, Args)]
pub(in crate::cli) struct Merge {
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
    pub(super) fn execute(&self) -> Ended {
        try_paths(&self.reports, &[])?;
        let expected = Selection { filters: self.filters.clone(), ..Selection::default() };
        let (record, parts) = merge(&self.records, &expected)?;
        let mut output = Output::beside(&self.reports);
        output.summary(&record, false);
        eprintln!("{} merged: {}", counted(parts, "record"), record.conclusion);
        output.reports(&record, &self.reports);
        Ok(output.finish(&record, None))
    }
}
