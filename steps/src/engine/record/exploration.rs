//! What an exploration ran and found, in a record.

use std::collections::BTreeMap;

use cell_fleet::Protocol;
use serde::{Deserialize, Serialize};

use super::features::OwnFeatures;
use crate::action::Kind;
use crate::judge::model::State;
use crate::ledger::RequirementId;
use crate::verdict::OutcomeWord;

/// Journeys that nobody wrote, judged by a model of the documents. Journeys that passed leave
/// counts alone; each one that failed, shortened, is a scenario of the record, and its text is in
/// `features`.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ExplorationRecord {
    /// How many journeys were run and judged, by protocol.
    pub journeys: BTreeMap<Protocol, u64>,
    /// How many were to be run, of all protocols together; absent where a time was the limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub planned: Option<u64>,
    /// How many journeys the router could not run, by what it claims or by how it is started.
    pub skipped: u64,
    /// How many journeys violated a requirement of a lower level than MUST, by its id.
    pub warnings: BTreeMap<RequirementId, u64>,
    /// The first of these journeys, by the id of the requirement: protocol and seed, like
    /// `learning 64`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub warned: BTreeMap<RequirementId, Vec<String>>,
    /// The requirements that the exploration did not judge, since they are known to be violated.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<LeftOutRecord>,
    /// Journeys that were run in a second, without the time for shortening.
    pub journeys_per_second: f64,
    /// The time for shortening and repeating failures, in milliseconds.
    pub shortening_ms: u64,
    /// The options of the command line that said what to explore, a word each; without the seed.
    pub options: Vec<String>,
    /// How often each pair of a router's state and a kind of request was met.
    pub pairs: PairsRecord,
    /// The failures, one for each violated requirement.
    pub found: Vec<FoundRecord>,
    /// Journeys that could not be judged, by reason.
    pub not_judged: Vec<NotJudgedRecord>,
}

/// What was explored in addition to the scenarios of a run. The failures that it found are
/// scenarios of the record like any other.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ExploredBeside {
    /// What was explored and found.
    pub exploration: ExplorationRecord,
    /// The texts of the failures.
    pub features: OwnFeatures,
}

/// A requirement whose violations are no failures of an exploration.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LeftOutRecord {
    /// The requirement.
    pub requirement: RequirementId,
    /// The protocol in which it is left out; absent if it is left out in both.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub protocol: Option<Protocol>,
    /// Who left it out.
    pub by: LeftOutBy,
    /// How many journeys violated it.
    pub journeys: u64,
}

/// Who leaves a requirement out of an exploration.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum LeftOutBy {
    /// The router file lists a scenario whose main requirement it is.
    KnownFailure,
    /// The option `--except` names it.
    Except,
}

/// How often each pair was met, as a table.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PairsRecord {
    /// The states of a router with regard to a request: the columns.
    pub states: Vec<State>,
    /// The kinds of requests: the rows.
    pub kinds: Vec<PairsOfKind>,
}

/// A row of the table of pairs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PairsOfKind {
    /// The kind of request.
    pub kind: Kind,
    /// How often it was met in each state, in the order of the columns.
    pub met: Vec<u64>,
}

/// A failure that was found.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FoundRecord {
    /// The name of its scenario, the shortened journey.
    pub scenario: String,
    /// The requirement that the journey violates.
    pub requirement: RequirementId,
    /// The seed of the journey, from which it can be drawn again.
    pub seed: u64,
    /// The other requirements of level MUST that the scenario violates.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<RequirementId>,
    /// After how many journeys it was found.
    pub after: u64,
    /// How many journeys violated the requirement.
    pub times: u64,
    /// How often the scenario was repeated.
    pub repeated: u32,
    /// How often it failed then.
    pub failed: u32,
    /// Whether the scenario is shorter than the journey; it is not if no shorter one failed again.
    pub shortened: bool,
    /// How many shorter journeys were tried.
    pub attempts: u64,
    /// The time that shortening might take, in milliseconds: it follows from what a journey cost
    /// with this router.
    pub budget_ms: u64,
    /// The time for shortening and repeating, in milliseconds.
    pub took_ms: u64,
    /// The journey as it was before it was shortened, as a feature; absent where that is the
    /// scenario.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// The file in which the scenario was saved; absent if it was not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub saved: Option<String>,
}

/// Journeys without a verdict, for one reason.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct NotJudgedRecord {
    /// `not applicable`, `could not run` or `suite error`.
    pub outcome: OutcomeWord,
    /// The reason of the first of them.
    pub reason: String,
    /// The seed of the first of them.
    pub first: String,
    /// How many.
    pub journeys: u64,
}

impl ExplorationRecord {
    /// How many journeys were run and judged.
    pub(crate) fn all(&self) -> u64 {
        self.journeys.values().sum()
    }

    /// What was found with a scenario.
    pub(crate) fn found_as(&self, scenario: &str) -> Option<&FoundRecord> {
        self.found.iter().find(|found| found.scenario == scenario)
    }
}

impl PairsRecord {
    /// How many different pairs were met, and how many the table has.
    pub(crate) fn met(&self) -> (usize, usize) {
        let met = self.kinds.iter().flat_map(|row| &row.met).filter(|count| **count > 0).count();
        (met, self.kinds.len() * self.states.len())
    }
}
