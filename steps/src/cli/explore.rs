//! `cells-conformance explore`.

use std::io::{self, Write as _};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use cell_fleet::Protocol;
use clap::Args;

use super::subject::WhichRouter;
use super::usage_error;
use crate::engine::{self, Conclusion, usual_jobs};
use crate::explore::{
    Cause, Exploration, Explored, Found, JourneyId, Limit, MOST_DEPTH, Scope, Trouble, explore,
    journeys_up_to,
};
use crate::ledger::Ledger;
use crate::stage::Launch;
use crate::stop::{self, Stop};

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
    /// Run every journey up to so many actions in one small world, in a fixed order
    #[arg(long, value_name = "DEPTH", conflicts_with_all = ["runs", "time", "seed"])]
    exhaustive: Option<usize>,
    /// Run the one journey of this seed again, as a failure names it; with `--exhaustive`, the one
    /// of this number
    #[arg(long, value_name = "SEED", conflicts_with_all = ["runs", "time", "seed"])]
    journey: Option<u64>,
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
    #[command(flatten)]
    router: WhichRouter,
}

impl Explore {
    pub(super) fn execute(&self) -> ExitCode {
        let stop = Stop::default();
        let _listening = stop::listen(&stop);
        match self.run(&stop) {
            Ok(exit_code) => exit_code.into(),
            Err(why) => usage_error(&why),
        }
    }

    fn run(&self, stop: &Stop) -> Result<engine::ExitCode, String> {
        let subject = self.router.subject()?;
        let protocols = match self.protocol.as_deref() {
            None => vec![Protocol::Buffering, Protocol::Learning],
            Some("buffering") => vec![Protocol::Buffering],
            Some("learning") => vec![Protocol::Learning],
            Some(other) => return Err(format!("`{other}` is not a protocol: buffering, learning")),
        };
        let seed = self.seed.unwrap_or_else(|| rand::random::<u32>().into());
        let launch = Launch { stop: stop.clone(), ..subject.launch(seed) };
        let limit = match (self.time, self.runs) {
            (Some(time), _) => Limit::Time(time),
            (None, runs) => Limit::Journeys(runs.unwrap_or(1_000)),
        };
        let scope = match (self.exhaustive, self.journey) {
            (Some(depth), _) if depth > MOST_DEPTH => {
                return Err(format!(
                    "`--exhaustive {depth}` is too deep: up to {MOST_DEPTH} actions there are {} \
                     journeys",
                    journeys_up_to(MOST_DEPTH)
                ));
            }
            (Some(depth), Some(number)) => {
                if !(1..=journeys_up_to(depth)).contains(&number) {
                    return Err(format!(
                        "there is no journey {number}: up to {depth} actions there are {}",
                        journeys_up_to(depth)
                    ));
                }
                Scope::One(JourneyId::Number(number))
            }
            (Some(depth), None) => Scope::Exhaustive { depth },
            (None, Some(seed)) => Scope::One(JourneyId::Seed(seed)),
            (None, None) => Scope::Random(limit),
        };
        let plan = Exploration {
            subject: &subject,
            launch: &launch,
            ledger: Ledger::embedded(),
            protocols: &protocols,
            seed,
            scope,
            jobs: match self.jobs {
                _ if subject.is_shared() => 1,
                None => usual_jobs(),
                Some(jobs) => jobs.get(),
            },
            keep_going: self.keep_going,
        };
        let explored = explore(&plan, |progress| {
            eprintln!(
                "{} journeys, {} pairs, {} failures, {:.0} s{}",
                progress.journeys,
                progress.pairs,
                progress.failures,
                progress.elapsed.as_secs_f64(),
                if progress.shortening { ", shortening" } else { "" }
            );
            ControlFlow::Continue(())
        });
        self.show(&explored, seed).map_err(|error| format!("standard output: {error}"))?;
        let of = |cause| explored.trouble.iter().any(|trouble| trouble.cause == cause);
        Ok(if of(Cause::Suite) {
            Conclusion::SuiteFault
        } else if !explored.found.is_empty() {
            Conclusion::NotConformant
        } else if of(Cause::Router) || of(Cause::Protocol) || explored.total() == 0 {
            Conclusion::Incomplete
        } else {
            Conclusion::Conformant
        }
        .exit_code())
    }

    fn show(&self, explored: &Explored, seed: u64) -> io::Result<()> {
        let mut out = io::stdout().lock();
        for found in &explored.found {
            show(found, &mut out)?;
            if let Some(folder) = &self.save {
                std::fs::create_dir_all(folder)?;
                let path = folder.join(format!("{}-{}.feature", found.requirement, found.journey));
                std::fs::write(&path, found.shortest.feature())?;
                writeln!(out, "saved as {}", path.display())?;
            }
        }
        for Trouble { journey, why, .. } in explored.trouble.iter().take(3) {
            writeln!(out, "journey {journey} could not be judged: {why}")?;
        }
        for (kind, counts) in explored.pairs.table() {
            writeln!(out, "{kind:18} {counts:?}")?;
        }
        if let Some((_, why)) = &explored.ended_early {
            writeln!(out, "ended early: {why}")?;
        }
        writeln!(
            out,
            "{} journeys{}, {:.0} a second, {} failures, seed {seed}",
            explored.total(),
            explored.planned.map(|planned| format!(" of {planned}")).unwrap_or_default(),
            explored.per_second(),
            explored.found.len()
        )
    }
}

fn show(found: &Found, out: &mut impl io::Write) -> io::Result<()> {
    writeln!(
        out,
        "\n{} after {} journeys; the shortened journey fails {}; {} attempts, {:.1} s",
        found.requirement,
        found.after,
        found.repeats,
        found.attempts,
        found.took.as_secs_f64()
    )?;
    for finding in &found.shortest.verdict.findings {
        writeln!(out, "  {}: {}", finding.requirement, finding.message)?;
    }
    writeln!(out, "{}", found.shortest.feature())
}
