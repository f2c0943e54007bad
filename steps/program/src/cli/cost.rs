//! `cells-conformance cost`: what a router adds to the direct way.

mod table;

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use clap::builder::RangedU64ValueParser;

use super::ended::{Ended, Failed, concluded, print};
use super::measured::{self, COLD, Measurement, heed_signals};
use super::subject::WhichRouter;
use super::values::ProtocolName;
use conformance_laboratory::cost::CostPlan;
use conformance_suite::engine::ExitCode;
use conformance_suite::report::try_paths;
use conformance_suite::report::write_file;

/// The help about exit codes.
pub(super) const EXIT_CODES: &str = "Exit codes:
  0  measured; no figure is a verdict
  2  wrong usage or configuration; nothing was run
  3  not measured: the router did not start, no request got its page, or it was ended before all
     rounds, whose figures are shown as far as they came; or the machine was too
     busy, twice, so that a ratio's range is wider than the ratio, and the figures are no results
  4  the suite itself is at fault
  5  the figures could not be written";

/// Measure what a router adds to the direct way: latency and throughput, never a verdict
#[derive(Debug, Args)]
pub(super) struct Cost {
    #[command(flatten)]
    router: WhichRouter,
    /// Measure only this protocol; without it, those that the router claims
    #[arg(long, value_enum)]
    protocol: Option<ProtocolName>,
    /// Rounds; each starts a fleet and a router
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = positive(1_000))]
    rounds: u64,
    /// Time for all measurements together, without the starts of the router
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = positive(86_400))]
    seconds: u64,
    /// Write the figures as JSON to this file, for `run --cost`
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

fn positive(most: u64) -> RangedU64ValueParser {
    RangedU64ValueParser::new().range(1..=most)
}

impl Cost {
    pub(super) fn execute(&self) -> Ended {
        let Measurement { subject, launch, protocols } =
            Measurement::of(&self.router, self.protocol, COLD)?;
        let json: Vec<_> = self.json.iter().map(PathBuf::as_path).collect();
        try_paths(&[], &json)?;
        let stop = heed_signals(&launch);
        let (rounds, time) = (self.rounds, Duration::from_secs(self.seconds));
        let plan =
            CostPlan { subject: &subject, launch: &launch, protocols: &protocols, rounds, time };
        let measure = || {
            plan.measure(
                |protocol, done| eprintln!("{}: round {done} of {rounds}", protocol.as_str()),
                |protocol, why| measured::tell_why(protocol, why, &subject.claims),
            )
        };
        let (mut outcome, mut record) = measure();
        let busy = record.meaningless();
        if !busy.is_empty() && outcome.is_ok() && stop.reason().is_none() {
            eprintln!(
                "the machine is too busy: a ratio's range is wider than the ratio ({}); measuring \
                 again",
                busy.join("; ")
            );
            (outcome, record) = measure();
        }
        let ended = concluded(outcome);
        if record.measurements.is_empty() {
            return ended;
        }
        if let Some(path) = &self.json {
            // Strings and finite numbers: nothing in a record can fail to serialise.
            let text = serde_json::to_string_pretty(&record).unwrap_or_default();
            write_file(path, format!("{text}\n").as_bytes())
                .map_err(|error| Failed::NotWritten(format!("{}: {error}", path.display())))?;
        }
        let printed = print(table::render(&record).as_bytes());
        if matches!(ended, Ok(ExitCode::Success)) {
            if let Some(reason) = stop.reason() {
                eprintln!("ended early: {reason}");
            }
            let is_part = stop.reason().is_some() || !record.meaningless().is_empty();
            return printed.map(|code| if is_part { ExitCode::Incomplete } else { code });
        }
        printed.unwrap_or_else(Failed::tell);
        ended
    }
}
