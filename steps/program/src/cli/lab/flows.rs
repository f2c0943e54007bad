//! `cells-lab flows`: what each proposal costs, flow by flow.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use clap::builder::RangedU64ValueParser;

use crate::cli::ended::{Ended, Failed, print};
use crate::cli::measure::{COLD, Measurement, heed_signals};
use crate::cli::subject::WhichRouter;
use crate::cli::values::{ProtocolName, some_time};
use conformance_laboratory::flows::{FILE, FlowsPlan, FlowsRecord, Size, page, text};
use conformance_laboratory::measurement::NotMeasured;
use conformance_suite::engine::{ExitCode, usual_jobs};
use conformance_suite::report::write_file;
use conformance_suite::report::{Screen, try_paths};

/// Count what each proposal costs, flow by flow: requests, pre-flights, crossings, reads and writes
#[derive(Debug, Args)]
pub(super) struct Flows {
    #[command(flatten)]
    router: WhichRouter,
    /// Count only in this protocol; without it, in those that the router claims
    #[arg(long, value_enum)]
    protocol: Option<ProtocolName>,
    /// The time of a round trip between the regions
    #[arg(long, value_name = "TIME", default_value = "60ms", value_parser = some_time)]
    rtt: Duration,
    /// Show an installation with this many cells in each region, in addition to those with 2 to
    /// 1000
    #[arg(long, value_name = "N", value_parser = RangedU64ValueParser::<u16>::new().range(2..=1_000))]
    cells: Option<u16>,
    /// The share of requests whose place the router has never seen, from 0 to 1
    #[arg(long, value_name = "P", default_value_t = 0.1, value_parser = share)]
    misses: f64,
    /// In learning, the share of the other requests whose entry has expired, from 0 to 1
    #[arg(long, value_name = "P", default_value_t = 0.1, value_parser = share)]
    expired: f64,
    /// The share of requests for what only the latest deployment knows (Cons 9), from 0 to 1
    #[arg(long, value_name = "P", default_value_t = 0.01, value_parser = share)]
    unknown: f64,
    /// Write the figures as JSON to standard output, in place of the text
    #[arg(long)]
    json: bool,
    /// Write a page as well: to this file, or to `flows.html` in this folder
    #[arg(long, value_name = "PATH")]
    html: Option<PathBuf>,
}

/// Reads a share.
fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "expected a number from 0 to 1, like 0.1".to_owned())
}

impl Flows {
    pub(super) fn execute(&self) -> Ended {
        let Measurement { subject, launch, protocols } =
            Measurement::for_router(&self.router, self.protocol, COLD)?;
        let html: Vec<_> = self.page().into_iter().collect();
        try_paths(&[], &html.iter().map(PathBuf::as_path).collect::<Vec<_>>())?;
        let &Self { cells, misses, expired, unknown, .. } = self;
        let size = Size { cells, misses, expired, unknown };
        let plan = FlowsPlan {
            subject: &subject,
            launch: &launch,
            protocols: &protocols,
            rtt: self.rtt,
            size,
            only: &[],
            cells: 2,
            jobs: usual_jobs(),
        };
        heed_signals(&launch);
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
        self.show(&record)?;
        Ok(if record.ended_early.is_some() { ExitCode::Incomplete } else { ExitCode::Success })
    }

    /// Where the page goes.
    fn page(&self) -> Option<PathBuf> {
        let path = self.html.as_ref()?;
        Some(if path.is_dir() { path.join(FILE) } else { path.clone() })
    }

    fn show(&self, record: &FlowsRecord) -> Ended {
        if self.json {
            // Strings and finite numbers: nothing in a record can fail to serialize.
            let text = serde_json::to_string_pretty(record).unwrap_or_default();
            return print(format!("{text}\n").as_bytes());
        }
        print(text(record, &Screen::stdout()).as_bytes())
    }
}
