//! What an exploration comes to: how many journeys ran, which pairs they met, and what failed.

use std::collections::BTreeMap;
use std::fmt;
use std::time::{Duration, SystemTime};

use cell_fleet::Protocol;

use super::journey::Journey;
use super::left_out::LeftOut;
use super::pairs::Pairs;
use conformance_suite::catalog::Case;
use conformance_suite::engine::record::EndedBy;
use conformance_suite::ledger::RequirementId;
use conformance_suite::verdict::Verdict;

/// Which journeys an exploration runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// This many.
    Journeys(u64),
    /// As many as can be run in this time.
    Time(Duration),
    /// The one of this seed.
    One(u64),
}

/// The result of an exploration.
#[derive(Debug)]
pub struct Explored {
    /// When it began.
    pub(crate) began: SystemTime,
    /// How many journeys ran, for each protocol.
    pub(crate) journeys: BTreeMap<Protocol, u64>,
    /// How many journeys the scope has in all protocols; `None` where a time limits it.
    pub(crate) planned: Option<u64>,
    /// How many journeys the router could not run, by what it claims or by how it is started: the
    /// suite cannot restart a router that runs already.
    pub(crate) skipped: u64,
    /// How many journeys violated each SHOULD, and the first of them.
    pub(crate) warnings: BTreeMap<RequirementId, (u64, Vec<(Protocol, u64)>)>,
    /// What was left out, and how many journeys violated it.
    pub(crate) left_out: Vec<(LeftOut, u64)>,
    /// Pairs of state and action that were met.
    pub(crate) pairs: Pairs,
    /// What failed, each requirement once, in the order in which it was found.
    pub found: Vec<Found>,
    /// Journeys that could not be judged.
    pub(crate) trouble: Vec<Trouble>,
    /// Why it ended before the scope was done, with a sentence; `None` if it was done, or if it
    /// ended with the first failure, as it was asked to.
    pub(crate) ended_early: Option<(EndedBy, String)>,
    /// How long the journeys took by themselves, side by side or not.
    pub(crate) played: Duration,
    /// How long it took, shortening included.
    pub(crate) took: Duration,
    /// How much of that time went into shortening and repeating.
    pub(crate) shortening: Duration,
}

impl Explored {
    /// How many journeys ran.
    pub(crate) fn total(&self) -> u64 {
        self.journeys.values().sum()
    }

    /// How long one journey took on average: a start of its routers above all.
    pub(crate) fn cost(&self) -> Duration {
        let total = u32::try_from(self.total()).unwrap_or(u32::MAX);
        self.played.checked_div(total).unwrap_or_default()
    }

    /// How many journeys ran in a second, shortening left out.
    pub(crate) fn per_second(&self) -> f64 {
        self.total() as f64 / (self.took.saturating_sub(self.shortening)).as_secs_f64().max(1e-9)
    }
}

/// A journey that could not be judged.
#[derive(Clone, Debug)]
pub(crate) struct Trouble {
    /// The seed of the journey.
    pub(crate) seed: u64,
    pub(crate) protocol: Protocol,
    /// What hindered it.
    pub(crate) cause: Cause,
    /// In words.
    pub(crate) why: String,
}

/// What hinders a journey.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Cause {
    /// The router did not start, or a precondition outside of it failed: "could not run".
    Router,
    /// The router does not follow the protocol.
    Protocol,
    /// The suite is at fault.
    Suite,
}

/// A violated MUST, and the shortest journey that shows it.
#[derive(Debug)]
pub struct Found {
    /// The seed of the journey in which it was found.
    pub(crate) seed: u64,
    pub(crate) protocol: Protocol,
    pub(crate) requirement: RequirementId,
    /// The other MUSTs that the shortest journey violates.
    pub(crate) also: Vec<RequirementId>,
    /// After how many journeys it was found.
    pub(crate) after: u64,
    /// How many journeys violated the requirement, this one among them.
    pub(crate) times: u64,
    /// The journey as it was found.
    pub(crate) original: Played,
    /// The shortest journey that was found, as it violated the requirement; the original where no
    /// repetition violated it.
    pub(crate) shortest: Played,
    /// How often the shortest journey violated the requirement.
    pub(crate) repeats: Repeats,
    /// How often the original violated it, the first time counted in; only counted where the
    /// shortest journey never did.
    pub(crate) original_repeats: Option<Repeats>,
    /// How many shorter journeys were tried.
    pub(crate) attempts: u64,
    /// How long shortening might take, by what a journey cost.
    pub(crate) budget: Duration,
    /// How long shortening and repeating took.
    pub(crate) took: Duration,
}

/// How often a journey failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Repeats {
    /// How many of the runs violated the requirement.
    pub(crate) failed: u32,
    /// How many runs there were.
    pub(crate) of: u32,
}

impl fmt::Display for Repeats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", self.failed, self.of)
    }
}

/// A journey that ran.
#[derive(Clone, Debug)]
pub(crate) struct Played {
    pub(crate) journey: Journey,
    /// The journey as a case of the suite: its steps, its name and its requirement.
    pub(crate) case: Case,
    /// What it shows, with its trace.
    pub(crate) verdict: Verdict,
    /// When it began, since the exploration did.
    pub(crate) began: Duration,
    /// How long it took.
    pub(crate) took: Duration,
}

impl Played {
    /// The journey as a feature file with one scenario.
    pub(crate) fn feature(&self) -> String {
        let requirement = self.case.requirements.first().map(ToString::to_string);
        self.journey.as_feature(&self.case.title, requirement.as_deref().unwrap_or_default())
    }
}

/// How far an exploration has come.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Journeys so far.
    pub journeys: u64,
    /// How many the scope has; `None` where a time limits it.
    pub planned: Option<u64>,
    /// Different pairs so far.
    pub pairs: usize,
    /// Failures so far.
    pub failures: usize,
    /// Whether a failure is being shortened now.
    pub shortening: bool,
    /// The time since the beginning.
    pub elapsed: Duration,
}
