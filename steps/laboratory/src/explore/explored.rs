//! What an exploration comes to: how many journeys ran, which pairs they met, and what failed; and
//! the record of it, with failures as scenarios.

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime};

use cell_fleet::Protocol;
use strum::VariantArray as _;

use super::exploration::{Exploration, title};
use super::journey::Journey;
use conformance_suite::action::Kind;
use conformance_suite::catalog::Catalog;
use conformance_suite::engine::record::{
    CaseRecord, EndedBy, ExplorationRecord, FoundRecord, IncompleteRecord, OwnFeature, OwnFeatures,
    PairsOfKind, PairsRecord, RunRecord, milliseconds, requirements_of, suite_with,
};
use conformance_suite::engine::settings;
use conformance_suite::judge::model::{State, states};
use conformance_suite::ledger::{Ledger, RequirementId};
use conformance_suite::plan::ScenarioPlan;
use conformance_suite::trace::Trace;
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
    pub(crate) began: SystemTime,
    /// What was counted; the rest of the record follows at the end.
    pub(crate) counted: ExplorationRecord,
    /// Pairs of state and action that were met.
    pub(crate) pairs: Pairs,
    /// What failed, each requirement once, in the order in which it was found.
    pub found: Vec<Found>,
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
    pub(crate) fn total(&self) -> u64 {
        self.counted.journeys.values().sum()
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

/// A violated MUST, and the shortest journey that shows it.
#[derive(Debug)]
pub struct Found {
    /// The shortest journey that was found, as it violated the requirement; the original where no
    /// repetition violated it.
    pub(crate) shortest: Played,
    /// What is recorded of it, without the name of the scenario and of its file.
    pub(crate) record: FoundRecord,
}

/// A journey that ran.
#[derive(Clone, Debug)]
pub(crate) struct Played {
    pub(crate) journey: Journey,
    /// What the journey proves first, as a scenario.
    pub(crate) requirement: String,
    /// What it shows, with its trace.
    pub(crate) verdict: Verdict,
    /// When it began, since the exploration did.
    pub(crate) began: Duration,
    pub(crate) took: Duration,
}

impl Played {
    pub(crate) fn protocol(&self) -> Protocol {
        self.journey.world.protocol
    }

    /// The journey of this seed as a feature file with one scenario.
    pub(crate) fn feature(&self, seed: u64) -> String {
        self.journey.as_feature(&title(seed), &self.requirement)
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

/// How often each pair was met.
#[derive(Default, Debug)]
pub struct Pairs(BTreeMap<(State, Kind), u64>);

impl Pairs {
    pub(super) fn from_trace(trace: &Trace, plan: &ScenarioPlan) -> Self {
        let mut pairs = Self::default();
        for (user, state) in states(plan, trace) {
            if let Some(kind) = trace.action_of(&trace.users[user]).and_then(Kind::of) {
                *pairs.0.entry((state, kind)).or_default() += 1;
            }
        }
        pairs
    }

    pub(super) fn add(&mut self, met: &Self) {
        for (pair, times) in &met.0 {
            *self.0.entry(*pair).or_default() += times;
        }
    }

    pub(crate) fn met(&self) -> usize {
        self.0.len()
    }

    /// How many pairs there are, possible or not.
    pub fn all() -> usize {
        State::VARIANTS.len() * Kind::VARIANTS.len()
    }

    /// The pairs as a table: a row for each kind of action, a column for each state.
    pub(crate) fn table(&self) -> Vec<PairsOfKind> {
        let count = |pair| self.0.get(&pair).copied().unwrap_or(0);
        let met = |kind| State::VARIANTS.iter().map(|state| count((*state, kind))).collect();
        Kind::VARIANTS.iter().map(|&kind| PairsOfKind { kind, met: met(kind) }).collect()
    }
}

/// The shortened journey of a failure as a feature file, not saved, with words about the requirement
/// that it violated.
pub fn feature(found: &Found) -> OwnFeature {
    let FoundRecord { requirement, seed, .. } = &found.record;
    let path = format!("{requirement}-{}-{seed}.feature", found.shortest.protocol().as_str());
    let text = found.shortest.feature(*seed);
    let words = words(requirement, Ledger::embedded());
    let text = text.replacen('\n', &format!("\n\n{words}"), 1);
    OwnFeature { file: path.clone(), path, text }
}

fn words(requirement: &RequirementId, ledger: &Ledger) -> String {
    let statement = ledger.row(requirement).map_or("", |row| &row.statement);
    let lines = [
        format!("A router violated {requirement}: {statement}"),
        "`cells-conformance run --features FILE` fails while it does.".to_owned(),
    ];
    let lines = lines.iter().flat_map(|line| textwrap::wrap(line, 96));
    lines.map(|line| format!("  {line}\n")).collect()
}

/// Makes the record. `features` are those of the failures, in their order, and those that were saved
/// name the file; `options` said what to explore, a word each. It is a fault of exploration if a
/// scenario cannot be read again.
pub fn record(
    plan: &Exploration<'_>,
    explored: &Explored,
    features: &[OwnFeature],
    options: Vec<String>,
) -> Result<RunRecord, String> {
    let ledger = Ledger::embedded();
    let own = OwnFeatures { files: features.to_vec() };
    let catalog = Catalog::of_own(own.clone());
    if let Some(error) = catalog.errors.first() {
        return Err(format!("a scenario that exploration wrote: {}", error.message));
    }
    let settings = settings(explored.began, plan.launch.seed, plan.jobs, Vec::new(), None);
    let mut record = RunRecord::empty(plan.subject.described.clone(), settings);
    record.suite = suite_with(Some(&own));
    record.run.took_ms = milliseconds(explored.took);
    let mut all_found = Vec::new();
    for (found, feature) in explored.found.iter().zip(features) {
        let case = catalog.cases.iter().find(|case| case.file == feature.file);
        let case = case.ok_or_else(|| format!("no scenario comes of {}", feature.file))?;
        let played = &found.shortest;
        record.scenarios.push(CaseRecord::of(
            case,
            &played.verdict,
            played.began,
            played.took,
            ledger,
            &mut record.bodies,
        ));
        all_found.push(FoundRecord {
            scenario: case.name.clone(),
            saved: (feature.file != feature.path).then(|| feature.file.clone()),
            ..found.record.clone()
        });
    }
    record.features = Some(own);
    record.requirements = requirements_of(&record.scenarios, ledger);
    record.incomplete = explored.ended_early.as_ref().map(|(by, why)| IncompleteRecord {
        ended_by: *by,
        reason: why.clone(),
        not_run: explored
            .counted
            .planned
            .map_or(0, |planned| planned.saturating_sub(explored.total()) as usize),
    });
    record.exploration = Some(ExplorationRecord {
        journeys_per_second: (explored.per_second() * 10.0).round() / 10.0,
        shortening_ms: milliseconds(explored.shortening),
        options,
        pairs: PairsRecord { states: State::VARIANTS.to_vec(), kinds: explored.pairs.table() },
        found: all_found,
        ..explored.counted.clone()
    });
    record.conclude(&catalog);
    Ok(record)
}

#[cfg(test)]
mod tests {
    use super::*;
    use conformance_suite::catalog::Source;

    #[test]
    fn the_words_of_every_requirement_stand_in_a_feature() {
        let ledger = Ledger::embedded();
        let scenario = "\n  @buffering @req:RT-08\n  Scenario: the page arrives whole\n    \
             Given a cold EU router\n    When anna visits \"/my-company\"\n    \
             Then anna gets status 200 (RT-08)\n";
        for row in ledger.rows() {
            let text = format!("Feature: F\n\n{}{scenario}", words(&row.id, ledger));
            let catalog = Catalog::load([Source { path: "explored.feature", text: &text }]);
            assert!(catalog.errors.is_empty(), "{:?}\n{text}", catalog.errors);
            assert_eq!(catalog.cases.len(), 1, "{text}");
        }
    }
}
