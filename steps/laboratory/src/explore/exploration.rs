//! What is explored: the router, the journeys, and how one of them is played.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;
use std::time::Instant;

use cell_fleet::Protocol;
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};

use super::explored::{Pairs, Played, Scope};
use super::generate::journey;
use conformance_suite::catalog::{Case, Catalog};
use conformance_suite::engine::claims::Claims;
use conformance_suite::engine::record::{LeftOutBy, LeftOutRecord};
use conformance_suite::engine::{Subject, run_again};
use conformance_suite::ledger::{Ledger, Level, RequirementId};
use conformance_suite::run::planned_for;
use conformance_suite::stage::Launch;
use conformance_suite::verdict::{OutcomeWord, Verdict};

/// The requirement that a journey names before anything is known about it: the user gets the
/// owner's response.
pub(super) const REQUIREMENT: &str = "RT-08";

/// What to explore.
#[derive(Debug)]
pub struct Exploration<'a> {
    /// The router under test: what it claims decides which journeys it cannot run.
    pub subject: &'a Subject,
    /// How the router is launched. Its stop ends the exploration, and its seed is that of the
    /// exploration.
    pub launch: &'a Launch,
    /// The protocols, in turns.
    pub protocols: &'a [Protocol],
    /// Which journeys it runs.
    pub scope: Scope,
    /// Parallel jobs.
    pub jobs: usize,
    /// The requirements whose violations are no failures.
    pub left_out: &'a [LeftOutRecord],
    /// Whether it goes on after a failure.
    pub keep_going: bool,
}

pub(super) struct Ran {
    pub(super) seed: u64,
    pub(super) played: Played,
    /// Whether the router cannot run it, by what it claims or by how it is started.
    pub(super) skipped: bool,
    pub(super) met: Pairs,
}

/// The title of the journey of this seed as a scenario.
pub(super) fn title(seed: u64) -> String {
    format!("journey {seed} is permitted")
}

impl Exploration<'_> {
    /// How many journeys there are in all protocols; `None` where there is no end.
    pub(super) fn count(&self) -> Option<u64> {
        match self.scope {
            Scope::Journeys(count) => Some(count),
            Scope::Time(_) => None,
            Scope::One(_) => Some(self.protocols.len() as u64),
        }
    }

    /// The protocol and the seed of the journey with this number, counted from 0. The protocols take
    /// turns.
    pub(super) fn drawn(&self, number: u64) -> (Protocol, u64) {
        let protocol = self.protocols[number as usize % self.protocols.len()];
        let seed = match self.scope {
            // Explorations with seeds next to each other draw other journeys.
            Scope::Journeys(_) | Scope::Time(_) => {
                StdRng::seed_from_u64(self.launch.seed.rotate_left(32) ^ number).random()
            }
            Scope::One(seed) => seed,
        };
        (protocol, seed)
    }

    /// Draws the journey with this number, plays it and counts what it met. The trace is kept only
    /// where it is needed.
    pub(super) fn play(&self, number: u64, clock: Instant) -> Ran {
        let (protocol, seed) = self.drawn(number);
        let journey = journey(protocol, seed);
        let case = journey.as_case(&title(seed), REQUIREMENT);
        let began = clock.elapsed();
        let skips = case.as_ref().ok().and_then(|case| self.subject.skips(case));
        let skipped = skips.is_some();
        let mut verdict = match (&case, skips) {
            (_, Some(outcome)) => Verdict::of(outcome),
            (Ok(case), None) => played(case, self.launch),
            (Err(why), None) => Verdict::of(OutcomeWord::SuiteError.because(why)),
        };
        let mut met = Pairs::default();
        if let (Some(trace), Ok(case)) = (&verdict.trace, &case)
            && let Ok(plan) = planned_for(case)
        {
            met = Pairs::from_trace(trace, &plan);
        }
        if verdict.outcome.word != OutcomeWord::Failed {
            verdict.trace = None;
            verdict.exchanges.clear();
            verdict.logs.clear();
        }
        let took = clock.elapsed().saturating_sub(began);
        let requirement = REQUIREMENT.to_owned();
        let played = Played { journey, requirement, verdict, began, took };
        Ran { seed, played, skipped, met }
    }

    /// The requirements that a verdict violates, in the order of its findings. That the user did
    /// not get the owner's response follows from most others.
    pub(super) fn violated(&self, protocol: Protocol, verdict: &Verdict) -> Violated {
        let mut violated = Violated::default();
        for finding in &verdict.findings {
            let id = &finding.requirement;
            let ids = if self.left_out.iter().any(|one| covers(one, id, protocol)) {
                &mut violated.left_out
            } else if finding.level == Level::Must {
                &mut violated.musts
            } else {
                &mut violated.others
            };
            if !ids.contains(id) {
                ids.push(id.clone());
            }
        }
        // What says least stands last: a failure is named after the first.
        violated.musts.sort_by_key(|id| id.as_str() == REQUIREMENT);
        violated
    }
}

/// What a verdict violates, each requirement once.
#[derive(Debug, Default)]
pub(super) struct Violated {
    pub(super) musts: Vec<RequirementId>,
    pub(super) others: Vec<RequirementId>,
    /// The requirements that the exploration leaves out.
    pub(super) left_out: Vec<RequirementId>,
}

/// Does this on as many threads as there are jobs, on each until there is nothing to do.
pub(super) fn side_by_side(jobs: usize, work: impl Fn() -> bool + Sync) {
    thread::scope(|scope| {
        for _ in 0..jobs.max(1) {
            scope.spawn(|| while work() {});
        }
    });
}

/// Runs a case; a panic is a fault of the suite.
pub(super) fn played(case: &Case, launch: &Launch) -> Verdict {
    let ledger = Ledger::embedded();
    catch_unwind(AssertUnwindSafe(|| run_again(case, launch, ledger))).unwrap_or_else(|_| {
        Verdict::of(OutcomeWord::SuiteError.because("the scenario panicked; see standard error"))
    })
}

/// What the known failures of a router file are about, and what the options name. An
/// error names an option that is no requirement.
pub fn left_out(claims: &Claims, options: &[String]) -> Result<Vec<LeftOutRecord>, String> {
    let (ledger, cases) = (Ledger::embedded(), &Catalog::embedded().cases);
    let mut all: Vec<LeftOutRecord> = Vec::new();
    for option in options {
        let requirement = option.parse().ok().filter(|id| ledger.row(id).is_some());
        let Some(requirement) = requirement else {
            return Err(format!(
                "`--except {option}` names no requirement; `cells-lab spec` writes them all"
            ));
        };
        let by = LeftOutBy::Except;
        let one = LeftOutRecord { requirement, protocol: None, by, journeys: 0 };
        if !all.contains(&one) {
            all.push(one);
        }
    }
    for protocol in Protocol::ALL {
        for requirement in claims.known_requirements(cases, protocol) {
            if !all.iter().any(|one| covers(one, &requirement, protocol)) {
                let (protocol, by) = (Some(protocol), LeftOutBy::KnownFailure);
                all.push(LeftOutRecord { requirement, protocol, by, journeys: 0 });
            }
        }
    }
    Ok(all)
}

/// Whether a violation of a requirement in a protocol is left out.
pub(super) fn covers(one: &LeftOutRecord, requirement: &RequirementId, protocol: Protocol) -> bool {
    one.requirement == *requirement && one.protocol.is_none_or(|only| only == protocol)
}
