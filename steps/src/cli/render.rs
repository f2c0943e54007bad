//! `cells-conformance render`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::usage_error;
use crate::counted::counted;
use crate::engine;
use crate::report::{ReportFile, write};

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
            Ok(()) => engine::ExitCode::Success.into(),
            Err(why) => usage_error(&why),
        }
    }

    fn render(&self) -> Result<(), String> {
        let record = engine::read_all(&self.records)?;
        write(&record, &self.reports).map_err(|error| error.to_string())?;
        record.complaints.iter().for_each(|complaint| eprintln!("  {complaint}"));
        let count = counted(record.scenarios.len(), "scenario");
        eprintln!("{count}: {}", record.conclusion);
        Ok(())
    }
}
