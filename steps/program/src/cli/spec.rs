//! `cells-conformance spec`: the features as a specification, in static pages.

use std::fs;
use std::path::PathBuf;

use clap::Args;

use super::ended::Ended;
use conformance_suite::engine::ExitCode;
use conformance_suite::spec::pages;

/// Write the features as a specification: static pages
#[derive(Debug, Args)]
pub(super) struct WriteSpec {
    /// Folder for the pages, created if missing; `index.html` is the first page
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

impl WriteSpec {
    pub(super) fn execute(&self) -> Ended {
        let pages = match pages() {
            Ok(pages) => pages,
            Err(why) => {
                eprintln!("SUITE ERROR {why}");
                return Ok(ExitCode::SuiteFault);
            }
        };
        fs::create_dir_all(&self.out)
            .and_then(|()| {
                pages.iter().try_for_each(|(name, text)| fs::write(self.out.join(name), text))
            })
            .map_err(|error| format!("{}: {error}", self.out.display()))?;
        let first = self.out.join("index.html");
        eprintln!("wrote {} pages; start with {}", pages.len(), first.display());
        Ok(ExitCode::Success)
    }
}
