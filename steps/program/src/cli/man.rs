//! `cells-conformance man`.

use std::fs;
use std::path::PathBuf;

use clap::{Args, Command};

use super::ended::Ended;
use conformance_suite::engine::ExitCode;

/// Write the man pages of the program and of every command
#[derive(Debug, Args)]
pub(super) struct Man {
    /// Folder for the pages; created if it is missing
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

impl Man {
    pub(super) fn execute(&self, program: Command) -> Ended {
        fs::create_dir_all(&self.out)
            .and_then(|()| clap_mangen::generate_to(program, &self.out))
            .map_err(|error| format!("{}: {error}", self.out.display()))?;
        Ok(ExitCode::Success)
    }
}
