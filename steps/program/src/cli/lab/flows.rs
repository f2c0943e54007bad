//! `cells-lab flows`: what each proposal costs, flow by flow; and `cells-lab spec`, the features as a
//! specification in static pages, with these costs.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;

use crate::cli::measure::{Measurement, WhatToMeasure};
use crate::cli::output::{Ended, Failed, print, write_pages};
use crate::cli::values::some_time;
use conformance_laboratory::flows::{FILE, FLOWS_VERSION, FlowsPlan, FlowsRecord, TITLE, page};
use conformance_laboratory::measurement::NotMeasured;
use conformance_suite::engine::{ExitCode, usual_jobs};
use conformance_suite::report::{try_paths, write_file};
use conformance_suite::spec::{Beside, pages};

/// Count what each proposal costs, flow by flow: requests, pre-flights, crossings, reads and
/// writes; the figures are JSON on standard output
#[derive(Debug, Args)]
pub(super) struct Flows {
    #[command(flatten)]
    what: WhatToMeasure,
    /// The time of a round trip between the regions
    #[arg(long, value_name = "TIME", default_value = "60ms", value_parser = some_time)]
    rtt: Duration,
    /// Write a page as well: to this file, or to `flows.html` in this folder
    #[arg(long, value_name = "PATH")]
    html: Option<PathBuf>,
}

impl Flows {
    pub(super) fn execute(&self) -> Ended {
        let Measurement { subject, launch, protocols } = self.what.measurement()?;
        let page_at = |path: &PathBuf| if path.is_dir() { path.join(FILE) } else { path.clone() };
        let html: Vec<_> = self.html.iter().map(page_at).collect();
        try_paths(&[], &html.iter().map(PathBuf::as_path).collect::<Vec<_>>())?;
        let plan = FlowsPlan {
            subject: &subject,
            launch: &launch,
            protocols: &protocols,
            rtt: self.rtt,
            only: &[],
            cells: 2,
            jobs: usual_jobs(),
        };
        let mut told = 0;
        let counted = plan.count(|done, of| {
            if done == of || done >= told + 50 {
                told = done;
                eprintln!("run {done} of {of}");
            }
        });
        let record = match counted {
            Ok(record) => record,
            Err(why) => {
                let hint = match why {
                    NotMeasured::NotFollowed(_) => "; `--protocol` counts the other one alone",
                    _ => "",
                };
                eprintln!("error: {why}{hint}");
                return Ok(match why {
                    NotMeasured::Suite(_) => ExitCode::SuiteFault,
                    _ => ExitCode::Incomplete,
                });
            }
        };
        if let Some(path) = html.first() {
            write_file(path, page(&record, false).as_bytes())
                .map_err(|error| Failed::NotWritten(format!("{}: {error}", path.display())))?;
        }
        if let Some(why) = &record.ended_early {
            eprintln!("ended early: {why}");
        }
        // Strings and finite numbers: nothing in a record can fail to serialize.
        let json = serde_json::to_string_pretty(&record).unwrap_or_default();
        print(format!("{json}\n").as_bytes())?;
        Ok(if record.ended_early.is_some() { ExitCode::Incomplete } else { ExitCode::Success })
    }
}

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
    Ok(Beside { file: FILE.to_owned(), title: TITLE.to_owned(), text: page(&record, true) })
}
