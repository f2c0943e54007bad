//! `cells-conformance render`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::{complain, usage_error};
use conformance_suite::engine;
use conformance_suite::engine::counted;
use conformance_suite::report::{ReportFile, try_paths, write};

/// Write reports of recorded runs, joined to one.
#[derive(Debug, Args)]
pub(super) struct Render {
    /// Record of a run: a file that `run --report json=FILE` wrote, or a folder that tests filled
    /// (CELLS_RECORD_DIR); several are joined
    #[arg(value_name = "RECORD", required = true)]
    records: Vec<PathBuf>,
    // The help names every form.
    #[arg(long = "report", value_name = "FORM=PATH", required = true, help = ReportFile::help())]
    reports: Vec<ReportFile>,
}

impl Render {
    pub(super) fn execute(&self) -> ExitCode {
        match self.render() {
            Ok(exit_code) => exit_code.into(),
            Err(why) => usage_error(&why),
        }
    }

    /// Reads the records and writes the reports.
    ///
    /// # Errors
    ///
    /// If nothing was written.
    fn render(&self) -> Result<engine::ExitCode, String> {
        try_paths(&self.reports, &[])?;
        let record = engine::read_all(&self.records)?;
        if let Err(why) = write(&record, &self.reports) {
            eprintln!("error: {why}");
            return Ok(engine::ExitCode::NotWritten);
        }
        complain(&record);
        let scenarios = counted(record.scenarios.len(), "scenario");
        eprintln!("{scenarios}: {}", record.conclusion);
        Ok(engine::ExitCode::Success)
    }
}
