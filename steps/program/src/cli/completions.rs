//! `cells-conformance completions`.

use clap::{Args, Command};
use clap_complete::Shell;

use super::ended::{Ended, print};

/// Print a completion script for a shell
#[derive(Debug, Args)]
pub(super) struct Completions {
    /// Shell that reads the script
    shell: Shell,
}

impl Completions {
    pub(super) fn execute(&self, mut program: Command) -> Ended {
        let (name, mut script) = (program.get_name().to_owned(), Vec::new());
        clap_complete::generate(self.shell, &mut program, name, &mut script);
        print(&script)
    }
}
