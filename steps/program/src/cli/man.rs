//! `cells-conformance man`.

use std::fs;
use std::path::PathBuf;

use clap::{Args, Command};

use super::ended::{Ended, print};
use conformance_suite::engine::ExitCode;

/// Print a man page, or write all of them to a folder
#[derive(Debug, Args)]
pub(super) struct Man {
    /// Command whose page is printed; without it the page of the program
    #[arg(value_name = "COMMAND")]
    command: Option<String>,
    /// Folder for the pages of the program and of every command; created if it is missing
    #[arg(long, value_name = "DIR", conflicts_with = "command")]
    out: Option<PathBuf>,
}

impl Man {
    pub(super) fn execute(&self, program: Command) -> Ended {
        let Some(folder) = &self.out else {
            return print(&page(program, self.command.as_deref())?);
        };
        fs::create_dir_all(folder)
            .and_then(|()| clap_mangen::generate_to(program, folder))
            .map_err(|error| format!("{}: {error}", folder.display()))?;
        Ok(ExitCode::Success)
    }
}

/// The page of the program or of one of its commands, as roff.
fn page(mut program: Command, name: Option<&str>) -> Result<Vec<u8>, String> {
    program.build();
    let chosen = match name {
        None => program,
        Some(name) => match program.find_subcommand(name) {
            // The page is about `cells-conformance run`, and is called `cells-conformance-run`.
            Some(chosen) => chosen.clone().display_name(format!("{}-{name}", program.get_name())),
            None => {
                let names: Vec<_> = program.get_subcommands().map(Command::get_name).collect();
                return Err(format!(
                    "there is no command `{name}`; the commands are {}",
                    names.join(", ")
                ));
            }
        },
    };
    let mut page = Vec::new();
    let rendered = clap_mangen::Man::new(chosen).render(&mut page);
    rendered.map_err(|error| format!("the man page could not be rendered: {error}"))?;
    Ok(page)
}
