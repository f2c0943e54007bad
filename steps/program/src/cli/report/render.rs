//! `cells-conformance report render`.

use std::path::PathBuf;

use clap::Args;

use crate::cli::ended::{Ended, Failed};
use crate::cli::output::complain;
use conformance_suite::engine::{ExitCode, counted, read_all};
use conformance_suite::report::{ReportFile, try_paths, write};

/// Make reports from the record of a run, or from the records that tests left in a folder
#[derive(Debug, Args)]
pub(in crate::cli) struct Render {
    /// Record of a run: a file that `run --report json=FILE` wrote, or a folder that tests filled
    /// (CELLS_RECORD_DIR); several are joined
    #[arg(value_name = "RECORD", required = true)]
    records: Vec<PathBuf>,
    // The help names every form.
    #[arg(long = "report", value_name = "FORM=PATH", required = true, help = ReportFile::help())]
    reports: Vec<ReportFile>,
}

impl Render {
    pub(super) fn execute(&self) -> Ended {
        try_paths(&self.reports, &[])?;
        let record = read_all(&self.records)?;
        write(&record, &self.reports).map_err(Failed::NotWritten)?;
        complain(&record);
        let scenarios = counted(record.scenarios.len(), "scenario");
        eprintln!("{scenarios}: {}", record.conclusion);
        Ok(ExitCode::Success)
    }
}
