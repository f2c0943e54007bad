//! `cells-conformance spec`: the features as a specification to read.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::usage_error;
use crate::spec::pages;

/// Writes the specification.
#[derive(Debug, Args)]
pub(super) struct WriteSpec {
    /// The folder for its pages, of which `index.html` is the first; it is made where it is missing
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

impl WriteSpec {
    pub(super) fn execute(&self) -> ExitCode {
        let pages = match pages() {
            Ok(pages) => pages,
            Err(why) => {
                eprintln!("SUITE ERROR {why}");
                return ExitCode::from(4);
            }
        };
        let written = fs::create_dir_all(&self.out).and_then(|()| {
            pages.iter().try_for_each(|(name, text)| fs::write(self.out.join(name), text))
        });
        match written {
            Ok(()) => {
                eprintln!("{} pages, from {}", pages.len(), self.out.join("index.html").display());
                ExitCode::SUCCESS
            }
            Err(error) => usage_error(&format!("{}: {error}", self.out.display())),
        }
    }
}
