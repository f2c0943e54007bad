//! `cells-conformance cost`: what a router adds to the direct way.

mod table;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant, SystemTime};

use clap::Args;
use clap::builder::RangedU64ValueParser;

use super::fleet::ProtocolName;
use super::measured::{self, COLD, Measurement};
use super::subject::WhichRouter;
use super::{concluded, not_written, print, usage_error};
use conformance_laboratory::cost::{CostPlan, SLICES};
use conformance_laboratory::machine::{load_averages, machine};
use conformance_laboratory::measurement::{NotMeasured, measure_each};
use conformance_suite::engine::Conclusion;
use conformance_suite::engine::record::{COST_VERSION, CostRecord, milliseconds};
use conformance_suite::report::try_paths;

/// The help about exit codes.
pub(super) const EXIT_CODES: &str = "Exit codes:
  0  measured; no figure is a verdict
  2  wrong usage or configuration; nothing was run
  3  not measured: the router did not start, or no request got its page
  4  the suite itself is at fault
  5  the figures could not be written";

/// Measure what a router adds: latency and throughput against the direct way, in the same run.
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
    pub(super) fn execute(&self) -> ExitCode {
        let found = Measurement::of(&self.router, self.protocol, COLD);
        let tried = found.and_then(|found| try_paths(&[], &self.json_path()).map(|()| found));
        let measurement = match tried {
            Ok(measurement) => measurement,
            Err(why) => return usage_error(&why),
        };
        let (outcome, record) = self.measure(&measurement);
        if record.measurements.is_empty() {
            return concluded(outcome);
        }
        if let Some(path) = &self.json {
            let written = std::fs::write(path, format!("{}\n", json(&record)));
            if let Err(error) = written {
                return not_written(&format!("{}: {error}", path.display()));
            }
        }
        match outcome {
            Ok(Conclusion::Conformant) => print(table::render(&record).as_bytes()),
            outcome => {
                let _ = print(table::render(&record).as_bytes());
                concluded(outcome)
            }
        }
    }

    /// The path of `--json`, if there is one.
    fn json_path(&self) -> Vec<&Path> {
        self.json.iter().map(PathBuf::as_path).collect()
    }

    fn measure(&self, measurement: &Measurement) -> (Result<Conclusion, String>, CostRecord) {
        let Measurement { subject, launch, protocols } = measurement;
        let (began, clock, load_before) = (SystemTime::now(), Instant::now(), load_averages());
        let rounds = usize::try_from(self.rounds).unwrap_or(usize::MAX);
        let plan = |protocol| CostPlan { protocol, rounds, slice: self.slice(protocols.len()) };
        let mut measurements = Vec::new();
        let outcome = measure_each(
            protocols,
            |protocol, runtime| {
                let name = protocol.as_str();
                let progress = |done| eprintln!("{name}: round {done} of {rounds}");
                runtime.block_on(conformance_laboratory::cost::measure(
                    &plan(*protocol),
                    launch,
                    progress,
                ))
            },
            |protocol, result| match result {
                Ok(measured) => {
                    measurements.extend_from_slice(measured);
                    Ok(Some(Conclusion::Conformant))
                }
                Err(why) => {
                    Ok(without_verdict(measured::tell_why(*protocol, why, &subject.claims), why))
                }
            },
        );
        let record = CostRecord {
            version: COST_VERSION,
            suite: env!("CARGO_PKG_VERSION").to_owned(),
            router: subject.described.name.clone(),
            began: humantime::format_rfc3339_millis(began).to_string(),
            took_ms: milliseconds(clock.elapsed()),
            machine: machine(load_before, load_averages()),
            rounds,
            measurements,
        };
        (outcome, record)
    }

    /// The time of one way under one load in one round.
    fn slice(&self, protocols: usize) -> Duration {
        let protocols = u32::try_from(protocols.max(1)).unwrap_or(u32::MAX);
        let rounds = u32::try_from(self.rounds).unwrap_or(u32::MAX);
        let slices = SLICES.saturating_mul(protocols).saturating_mul(rounds);
        Duration::from_secs(self.seconds) / slices
    }
}

/// What it means that a protocol was not measured: no verdict on the router.
fn without_verdict(conclusion: Option<Conclusion>, why: &NotMeasured) -> Option<Conclusion> {
    match why {
        NotMeasured::Suite(_) => conclusion,
        _ => conclusion.map(|_| Conclusion::Incomplete),
    }
}

fn json(record: &CostRecord) -> String {
    // Strings and finite numbers: nothing in a record can fail to serialise.
    serde_json::to_string_pretty(record).unwrap_or_default()
}
