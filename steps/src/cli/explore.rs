//! `cells-conformance explore`.

use std::io::{self, Write as _};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use cell_fleet::Protocol;
use clap::Args;

use super::subject::WhichRouter;
use super::usage_error;
use crate::engine::{Conclusion, usual_jobs};
use crate::explore::{Exploration, Explored, Found, Limit, Weights, explore};
use crate::launch::launch_of;
use crate::ledger::Ledger;
use crate::stage::Launch;

/// Explore random journeys.
#[derive(Debug, Args)]
pub(super) struct Explore {
    /// How many journeys
    #[arg(long, value_name = "N", conflicts_with = "time")]
    runs: Option<u64>,
    /// How long, like 90s or 10m
    #[arg(long = "for", id = "time", value_name = "TIME", value_parser = humantime::parse_duration)]
    time: Option<Duration>,
    /// Random seed; reuse it to draw the same journeys
    #[arg(long, value_name = "NUMBER")]
    seed: Option<u64>,
    /// Only journeys of this protocol
    #[arg(long, value_name = "PROTOCOL")]
    protocol: Option<String>,
    /// Parallel jobs
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// Go on after the first failure
    #[arg(long)]
    keep_going: bool,
    /// Save each failing journey as a feature file in this folder
    #[arg(long, value_name = "DIR")]
    save: Option<PathBuf>,
    /// Draw by the weights of this file, in the form of fixtures/exploration.toml
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    #[command(flatten)]
    router: WhichRouter,
}

impl Explore {
    pub(super) fn execute(&self) -> ExitCode {
        match self.run() {
            Ok(conclusion) => conclusion.exit_code().into(),
            Err(why) => usage_error(&why),
        }
    }

    fn run(&self) -> Result<Conclusion, String> {
        let subject = self.router.subject()?;
        let protocols = match self.protocol.as_deref() {
            None => vec![Protocol::Buffering, Protocol::Learning],
            Some("buffering") => vec![Protocol::Buffering],
            Some("learning") => vec![Protocol::Learning],
            Some(other) => return Err(format!("`{other}` is not a protocol: buffering, learning")),
        };
        let seed = self.seed.unwrap_or_else(|| rand::random::<u32>().into());
        let launch = Launch {
            place: subject.place.clone(),
            health_check_path: subject.claims.health_check_path.clone(),
            ..launch_of(subject.routers.clone(), seed)
        };
        let limit = match (self.time, self.runs) {
            (Some(time), _) => Limit::Time(time),
            (None, runs) => Limit::Journeys(runs.unwrap_or(1_000)),
        };
        let weights = self.drawn_by()?;
        let plan = Exploration {
            launch: &launch,
            ledger: Ledger::embedded(),
            weights: &weights,
            protocols: &protocols,
            seed,
            limit,
            jobs: self.jobs.map_or_else(|| 2 * usual_jobs(), NonZeroUsize::get),
            keep_going: self.keep_going,
        };
        let began = Instant::now();
        let explored = explore(&plan, |progress| {
            let rate = progress.journeys as f64 / began.elapsed().as_secs_f64();
            eprintln!(
                "{} journeys, {rate:.0} a second, {} pairs, {} failures ",
                progress.journeys, progress.pairs, progress.failures
            );
            ControlFlow::Continue(())
        });
        self.show(&explored, seed).map_err(|error| format!("standard output: {error}"))?;
        Ok(if !explored.trouble.is_empty() {
            Conclusion::SuiteFault
        } else if explored.found.is_empty() {
            Conclusion::Conformant
        } else {
            Conclusion::NotConformant
        })
    }

    fn drawn_by(&self) -> Result<Weights, String> {
        let Some(path) = &self.weights else { return Ok(Weights::embedded()) };
        let place = |why: String| format!("{}: {why}", path.display());
        let text = std::fs::read_to_string(path).map_err(|error| place(error.to_string()))?;
        Weights::parse(&text).map_err(place)
    }

    fn show(&self, explored: &Explored, seed: u64) -> io::Result<()> {
        let mut out = io::stdout().lock();
        for found in &explored.found {
            show(found, &mut out)?;
            if let Some(folder) = &self.save {
                std::fs::create_dir_all(folder)?;
                let path = folder.join(format!("{}-{}.feature", found.requirement, found.seed));
                std::fs::write(&path, feature(found))?;
                writeln!(out, "saved as {}", path.display())?;
            }
        }
        for trouble in explored.trouble.iter().take(3) {
            writeln!(out, "could not be judged: {trouble}")?;
        }
        for (kind, counts) in explored.pairs.table() {
            writeln!(out, "{kind:18} {counts:?}")?;
        }
        writeln!(
            out,
            "{} journeys, {} with warnings, {} failures, seed {seed}",
            explored.journeys,
            explored.warned,
            explored.found.len()
        )
    }
}

fn feature(found: &Found) -> String {
    let title = format!("journey {} is permitted", found.seed);
    found.shortest.as_feature(&title, &found.requirement.to_string())
}

fn show(found: &Found, out: &mut impl io::Write) -> io::Result<()> {
    writeln!(
        out,
        "\n{} after {} journeys; the shortened journey fails {} of 10 times",
        found.requirement, found.after, found.fails
    )?;
    for finding in &found.verdict.findings {
        writeln!(out, "  {}: {}", finding.requirement, finding.message)?;
    }
    writeln!(out, "{}", feature(found))
}
