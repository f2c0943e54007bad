//! What is generated from the command line: man pages, and completions for shells.

use std::fs;
use std::path::PathBuf;

use clap::{Args, Command};
use clap_complete::Shell;

use super::output::{Ended, print};
use conformance_suite::engine::ExitCode;

/// Print a completion script for a shell
#[derive(Debug, Args)]
pub(super) struct Completions {
    /// Shell that reads the script
    shell: Shell,
}

impl Completions {
    pub(super) fn execute(&self, mut program: Command) -> Ended {
        let (name, mut script) = (program.get_name().to_owned(), Vec::new());
        clap_complete::generate(self.shell, &mut program, name.clone(), &mut script);
        if self.shell == Shell::Bash {
            // clap_complete writes a name with a hyphen in two ways, so that no subcommand is found.
            let text = String::from_utf8_lossy(&script);
            let [one, other] = ["__subcmd__", "__"].map(|between| name.replace('-', between));
            script = text.replace(&one, &other).into_bytes();
        }
        print(&script)
    }
}

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
