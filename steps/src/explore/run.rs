//! Runs journeys: draws them, lets the suite play them, counts what was met, and shrinks the ones
//! that fail.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use cell_fleet::Protocol;

use super::generate::{drawn, journey};
use super::journey::Journey;
use super::pairs::Pairs;
use super::shrink::shrunk;
use super::weights::Weights;
use crate::catalog::Case;
use crate::engine::pool;
use crate::ledger::{Ledger, RequirementId};
use crate::run::{planned_for, run};
use crate::stage::Launch;
use crate::verdict::{Outcome, Verdict};

/// How many journeys run before the next ones are drawn: what was met steers them.
const BATCH: usize = 64;
/// How many journeys are drawn for one that runs: the one with the rarest pairs.
const CANDIDATES: u64 = 4;
/// How often a shortened journey is played, to say how often it fails.
const REPEATS: u32 = 10;

/// How long exploration goes on.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Limit {
    /// So many journeys.
    Journeys(u64),
    /// So long.
    Time(Duration),
}

/// What to explore.
#[derive(Debug)]
pub(crate) struct Exploration<'a> {
    /// How the router is launched.
    pub(crate) launch: &'a Launch,
    /// The requirements.
    pub(crate) ledger: &'a Ledger,
    /// How often what is drawn.
    pub(crate) weights: &'a Weights,
    /// The protocols, in turns.
    pub(crate) protocols: &'a [Protocol],
    /// The seed of the exploration.
    pub(crate) seed: u64,
    /// How long it goes on.
    pub(crate) limit: Limit,
    /// Parallel jobs.
    pub(crate) jobs: usize,
    /// Whether it goes on after a failure.
    pub(crate) keep_going: bool,
}

/// What came of it.
#[derive(Debug, Default)]
pub(crate) struct Explored {
    /// How many journeys ran.
    pub(crate) journeys: u64,
    /// How many of them violated a SHOULD.
    pub(crate) warned: u64,
    /// Pairs of state and action that were met.
    pub(crate) pairs: Pairs,
    /// What failed, each requirement once.
    pub(crate) found: Vec<Found>,
    /// Why journeys could not be judged: faults of the suite, or routers that did not start.
    pub(crate) trouble: Vec<String>,
}

/// A failing journey, as short as it could be made.
#[derive(Debug)]
pub(crate) struct Found {
    /// The seed of the journey itself.
    pub(crate) seed: u64,
    /// The requirement.
    pub(crate) requirement: RequirementId,
    /// After how many journeys it was found.
    pub(crate) after: u64,
    /// The shortest journey.
    pub(crate) shortest: Journey,
    /// What it shows.
    pub(crate) verdict: Verdict,
    /// How often it fails of [`REPEATS`] times.
    pub(crate) fails: u32,
}

/// Progress: how many journeys have run, and how many pairs were met.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Progress {
    /// Journeys so far.
    pub(crate) journeys: u64,
    /// Different pairs so far.
    pub(crate) pairs: usize,
    /// Failures so far.
    pub(crate) failures: usize,
}

/// A journey with its seed.
struct Drawn {
    seed: u64,
    journey: Journey,
    case: Result<Case, String>,
}

/// Explores. `tell` is called after each batch; a break ends the exploration.
pub(crate) fn explore(
    plan: &Exploration<'_>,
    mut tell: impl FnMut(Progress) -> ControlFlow<()>,
) -> Explored {
    let weights = plan.weights;
    let began = Instant::now();
    let mut explored = Explored::default();
    let mut known: BTreeSet<RequirementId> = BTreeSet::new();
    let mut next = 0;
    loop {
        let left = match plan.limit {
            Limit::Journeys(count) => count.saturating_sub(explored.journeys),
            Limit::Time(limit) if began.elapsed() >= limit => 0,
            Limit::Time(_) => BATCH as u64,
        };
        let size = usize::try_from(left.min(BATCH as u64)).unwrap_or(BATCH);
        if size == 0 {
            return explored;
        }
        let batch: Vec<_> = (0..size)
            .map(|number| {
                let protocol =
                    plan.protocols[(explored.journeys as usize + number) % plan.protocols.len()];
                next += 1;
                rarest(protocol, plan.seed, next, weights, &explored.pairs)
            })
            .collect();
        let work = |drawn: &Drawn| match &drawn.case {
            Ok(case) => run(case, plan.launch, plan.ledger),
            Err(why) => Verdict::of(Outcome::SuiteError(why.clone())),
        };
        let verdicts = pool::run(plan.jobs, &batch, |_| None, work, |_| ControlFlow::Continue(()));
        for (drawn, verdict) in batch.iter().zip(verdicts) {
            explored.journeys += 1;
            let verdict = match verdict {
                Ok(verdict) => verdict,
                Err(error) => Verdict::of(Outcome::SuiteError(error.to_string())),
            };
            if let (Some(trace), Ok(case)) = (&verdict.trace, &drawn.case)
                && let Ok(world) = planned_for(case)
            {
                explored.pairs.count(trace, &world);
            }
            match &verdict.outcome {
                // One failure is shortened, unless all are asked for.
                Outcome::Failed if !plan.keep_going && !explored.found.is_empty() => {}
                Outcome::Failed => {
                    let musts = plan.musts(&verdict);
                    if let Some(requirement) = musts.into_iter().find(|id| !known.contains(id)) {
                        known.insert(requirement.clone());
                        let found = plan.shorten(drawn, requirement, verdict, explored.journeys);
                        explored.found.push(found);
                    }
                }
                Outcome::Warned => explored.warned += 1,
                Outcome::Passed | Outcome::KnownFailure { .. } => {}
                Outcome::NotApplicable(why)
                | Outcome::CouldNotRun(why)
                | Outcome::NotRun(why)
                | Outcome::SuiteError(why) => {
                    explored.trouble.push(format!("journey {}: {why}", drawn.seed));
                }
            }
        }
        let progress = Progress {
            journeys: explored.journeys,
            pairs: explored.pairs.met(),
            failures: explored.found.len(),
        };
        let ended = !plan.keep_going && !explored.found.is_empty();
        if tell(progress).is_break() || ended || explored.trouble.len() > BATCH {
            return explored;
        }
    }
}

impl Exploration<'_> {
    /// The violated MUSTs of a verdict.
    fn musts(&self, verdict: &Verdict) -> Vec<RequirementId> {
        let must = |id: &RequirementId| {
            self.ledger.row(id).is_none_or(|row| row.level == crate::ledger::Level::Must)
        };
        let ids = verdict.findings.iter().map(|finding| finding.requirement.clone());
        ids.filter(must).collect()
    }

    /// Plays a journey; the verdict if it violates the requirement.
    fn violates(&self, journey: &Journey, requirement: &RequirementId) -> Option<Verdict> {
        let case = journey.as_case("a shortened journey", &requirement.to_string()).ok()?;
        let verdict = run(&case, self.launch, self.ledger);
        let violates = verdict.findings.iter().any(|found| found.requirement == *requirement);
        violates.then_some(verdict)
    }

    fn shorten(
        &self,
        drawn: &Drawn,
        requirement: RequirementId,
        verdict: Verdict,
        after: u64,
    ) -> Found {
        // A router may pick at random, so a candidate gets three chances.
        let shortest = shrunk(drawn.journey.clone(), |candidate| {
            (0..3).any(|_| self.violates(candidate, &requirement).is_some())
        });
        let mut last = verdict;
        let mut fails = 0;
        for _ in 0..REPEATS {
            if let Some(verdict) = self.violates(&shortest, &requirement) {
                fails += 1;
                last = verdict;
            }
        }
        Found { seed: drawn.seed, requirement, after, shortest, verdict: last, fails }
    }
}

/// Of a few journeys, the one with the rarest pairs.
fn rarest(protocol: Protocol, seed: u64, number: u64, weights: &Weights, pairs: &Pairs) -> Drawn {
    let seeds = (0..CANDIDATES).map(|candidate| mixed(seed, number * CANDIDATES + candidate));
    let rarity = |seed: &u64| {
        let drawn = drawn(*seed, weights);
        let sum: f64 = drawn.iter().map(|(situation, deed)| pairs.rarity(*situation, *deed)).sum();
        (sum * 1e6) as u64 / drawn.len().max(1) as u64
    };
    let seed = seeds.max_by_key(rarity).unwrap_or(seed);
    of_seed(protocol, seed, weights)
}

/// The journey of a seed.
fn of_seed(protocol: Protocol, seed: u64, weights: &Weights) -> Drawn {
    let journey = journey(protocol, seed, weights);
    let case = journey.as_case(&format!("journey {seed} is permitted"), "RT-08");
    Drawn { seed, journey, case }
}

/// A seed from a seed and a number (splitmix64).
fn mixed(seed: u64, number: u64) -> u64 {
    let mut mixed = seed.wrapping_add(number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}
