//! `cells-conformance man`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{fs, io};

use clap::Args;

use super::{NAME, command, print, usage_error};

/// Prints a man page, or writes all of them.
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
    pub(super) fn execute(&self) -> ExitCode {
        match &self.out {
            Some(folder) => match write_all(folder) {
                Ok(()) => ExitCode::SUCCESS,
                Err(error) => usage_error(&format!("{}: {error}", folder.display())),
            },
            None => match page(self.command.as_deref()) {
                Ok(page) => print(&page),
                Err(why) => usage_error(&why),
            },
        }
    }
}

fn write_all(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    clap_mangen::generate_to(command(), folder)
}

/// The page of the program or of one of its commands, as roff.
fn page(name: Option<&str>) -> Result<Vec<u8>, String> {
    let mut program = command();
    program.build();
    let chosen = match name {
        None => program,
        Some(name) => match program.find_subcommand(name) {
            // The page is about `cells-conformance run`, and is called `cells-conformance-run`.
            Some(chosen) => chosen.clone().display_name(format!("{NAME}-{name}")),
            None => {
                let names: Vec<_> =
                    program.get_subcommands().map(clap::Command::get_name).collect();
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
