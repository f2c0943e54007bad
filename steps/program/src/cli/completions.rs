//! `cells-conformance completions`.

use std::process::ExitCode;

use clap::Args;
use clap_complete::Shell;

use super::{NAME, command, print};

/// Prints a completion script.
#[derive(Debug, Args)]
pub(super) struct Completions {
    /// Shell that reads the script
    shell: Shell,
}

impl Completions {
    pub(super) fn execute(&self) -> ExitCode {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut command(), NAME, &mut script);
        print(&script)
    }
}
