//! `cells-lab spec`: the features as a specification, in static pages.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::cli::ended::Ended;
use crate::cli::output::write_pages;
use conformance_laboratory::flows::{self, FLOWS_VERSION, FlowsRecord};
use conformance_suite::engine::ExitCode;
use conformance_suite::spec::{Beside, pages};

/// Write the features as a specification: static pages
#[derive(Debug, Args)]
pub(super) struct WriteSpec {
    /// Folder for the pages, created if missing; `index.html` is the first page
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Costs of the flows, as `cells-lab flows` prints them, for a further page
    #[arg(long, value_name = "FILE")]
    flows: Option<PathBuf>,
}

impl WriteSpec {
    pub(super) fn execute(&self) -> Ended {
        let beside: Vec<_> = self.flows.as_deref().map(costs).transpose()?.into_iter().collect();
        let pages = match pages(&beside) {
            Ok(pages) => pages,
            Err(why) => {
                eprintln!("SUITE ERROR {why}");
                return Ok(ExitCode::SuiteFault);
            }
        };
        write_pages(&self.out, &pages)
    }
}

/// The page of the costs in a file.
fn costs(path: &Path) -> Result<Beside, String> {
    let failed = |error: &dyn std::fmt::Display| {
        format!("{}: {error}; `cells-lab flows` prints such a file", path.display())
    };
    let text = cell_fleet::read_input(path, cell_fleet::WRITTEN_BY_PROGRAMS)
        .map_err(|error| failed(&error))?;
    let record: FlowsRecord = serde_json::from_str(&text).map_err(|error| failed(&error))?;
    if record.version != FLOWS_VERSION {
        return Err(failed(&format_args!(
            "it has version {}, this program reads {FLOWS_VERSION}",
            record.version
        )));
    }
    Ok(Beside {
        file: flows::FILE.to_owned(),
        title: flows::TITLE.to_owned(),
        text: flows::page(&record, true),
    })
}
