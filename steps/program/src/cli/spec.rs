//! `cells-conformance spec`: the features as a specification, in static pages.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::usage_error;
use conformance_suite::engine;
use conformance_suite::spec::pages;

/// Write the features as a specification: static HTML pages.
#[derive(Debug, Args)]
pub(super) struct WriteSpec {
    /// Folder for the pages, created if missing; `index.html` is the first page
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

impl WriteSpec {
    pub(super) fn execute(&self) -> ExitCode {
        let pages = match pages() {
            Ok(pages) => pages,
            Err(why) => {
                eprintln!("SUITE ERROR {why}");
                return engine::ExitCode::SuiteFault.into();
            }
        };
        let written = fs::create_dir_all(&self.out).and_then(|()| {
            pages.iter().try_for_each(|(name, text)| fs::write(self.out.join(name), text))
        });
        match written {
            Ok(()) => {
                eprintln!(
                    "wrote {} pages; start with {}",
                    pages.len(),
                    self.out.join("index.html").display()
                );
                ExitCode::SUCCESS
            }
            Err(error) => usage_error(&format!("{}: {error}", self.out.display())),
        }
    }
}
