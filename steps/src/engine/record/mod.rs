//! The record of a run: everything that a report shows. Its JSON is the JSON report, and
//! `docs/report.schema.json` is its schema. Every report is a function of a [`RunRecord`].
//!
//! Traces stand in it as the suite has them. A change of their types is a change of the JSON: the
//! test of the schema shows it.

mod bytes;
mod case;
mod exploration;
mod features;
mod make;
mod run_control;
#[cfg(test)]
mod schema;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use cell_fleet::Protocol;
use serde::{Deserialize, Serialize};

use self::bytes::find_bodies;
use crate::engine::Conclusion;
use crate::ledger::{Level, Profile, RequirementId};
use crate::router_file::Capability;
use crate::verdict::OutcomeWord;

pub use bytes::Body;
#[cfg(test)]
pub(crate) use bytes::keep_bodies;
pub use case::{CaseRecord, ExchangeRecord, LogRecord, StepRecord};
pub use exploration::{
    ExplorationRecord, ExploredBeside, FoundRecord, LeftOutBy, LeftOutRecord, NotJudgedRecord,
    PairsOfKind, PairsRecord,
};
pub use features::{OwnFeature, OwnFeatures};
pub use make::{requirements_of, suite, suite_with};
pub use run_control::{EndedBy, FlakyRecord, IncompleteRecord, KnownFailure, StartsRecord};

pub use super::shard::Shard;
pub use crate::exchange::Divergence;
pub use crate::trace::milliseconds;

/// The version of the JSON. Members may be added to a version; a reader ignores those that it does
/// not know.
pub const VERSION: u32 = 5;

/// The record of a run.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RunRecord {
    /// Version of the form.
    pub version: u32,
    /// The suite that wrote it.
    pub suite: SuiteRecord,
    /// The router under test.
    pub router: RouterRecord,
    /// How it was run.
    pub run: RunSettings,
    /// `conformant`, `conformant but for 2 known failures` (of any number), `not conformant`,
    /// `not as claimed`, `incomplete` or `suite at fault`. A part of what the router claims has
    /// `no failure in 10 of 100 scenarios` without any of these faults, custom features
    /// `no failure in 2 custom scenarios`, explorations `no failure`: they prove no conformance.
    #[cfg_attr(test, schemars(with = "String"))]
    pub conclusion: Conclusion,
    /// The exit code that stands for the conclusion.
    pub exit_code: u8,
    /// Why it ended before all selected scenarios were run; absent if all were.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub incomplete: Option<IncompleteRecord>,
    /// The flaky known failures, with their results.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flaky: Vec<FlakyRecord>,
    /// The verdict of each profile, in the order core, hardening, fleet.
    pub profiles: Vec<ProfileVerdict>,
    /// Faults that belong to no scenario: stale known failures and too many of them, contradicted
    /// claims, faults of features.
    pub complaints: Vec<String>,
    /// The requirements that scenarios of this report cite, by id.
    pub requirements: BTreeMap<RequirementId, RequirementRecord>,
    /// The selected scenarios, in the order of the features.
    pub scenarios: Vec<CaseRecord>,
    /// Bodies by the SHA-256 of all their bytes.
    pub bodies: BTreeMap<String, Body>,
    /// The custom features whose scenarios were run, by `--features`; absent where the suite's
    /// were.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub features: Option<OwnFeatures>,
    /// What was explored, if the run was an exploration: then `features` has the texts of the
    /// scenarios, and `scenarios` the failures alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exploration: Option<ExplorationRecord>,
    /// What was explored in addition to the scenarios, if `run --explore` asked for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub explored: Option<ExploredBeside>,
}

/// The suite.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SuiteRecord {
    /// Its version.
    pub version: String,
    /// SHA-256 over all feature files, with their paths: those of the suite, or those in
    /// `features`.
    pub features_digest: String,
    /// SHA-256 of the ledger.
    pub ledger_digest: String,
}

/// The router under test, as its router file or its command describes it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RouterRecord {
    /// Its name.
    pub name: String,
    /// Its version, if the router file gives one.
    pub version: Option<String>,
    /// Where to read about it.
    pub url: Option<String>,
    /// Whom to ask.
    pub contact: Option<String>,
    /// The command that started it; empty for a router that was already running.
    pub command: Vec<String>,
    /// The regions in which it was already running, like `eu`; empty for a router that the suite
    /// started.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub running: Vec<String>,
    /// The options of the command line that named it, a word each; empty if code did.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
    /// Protocols that it claims; empty if nothing is claimed, so that both were tried.
    pub protocols: Vec<Protocol>,
    /// Capabilities that it claims.
    pub capabilities: Vec<Capability>,
    /// The known failures of its router file.
    pub known_failures: Vec<KnownFailure>,
}

/// How the suite was run.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RunSettings {
    /// When it began, RFC 3339, UTC.
    pub began: String,
    /// How long it took, in milliseconds.
    pub took_ms: u64,
    /// How long the starts of the router took; absent where the suite started none, or is not told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub starts: Option<StartsRecord>,
    /// The seed.
    pub seed: u64,
    /// Parallel jobs.
    pub jobs: usize,
    /// Filters that selected the scenarios; empty for all.
    pub selection: Vec<String>,
    /// The names of the scenarios that `--exclude` left out of the selection;
    /// of a shard, those of the whole run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub excluded: Vec<String>,
    /// Operating system and architecture.
    pub platform: String,
    /// The part of a run that this record holds; absent for a whole run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<PartOfRun>,
}

/// A part of a run, whose records are joined to the record of the whole.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum PartOfRun {
    /// One scenario, run by a test program. How many there are is not known to it.
    Trial,
    /// One shard of the selection.
    Shard(Shard),
}

/// The verdict of one profile.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ProfileVerdict {
    /// The profile.
    pub profile: Profile,
    /// `conformant`, `conformant but for 2 known failures` (of any number), `not conformant`,
    /// `incomplete`, `suite at fault` or `not run`; of a profile that was run in part, and for
    /// custom features, `no failure` and `no failure but known ones`.
    #[cfg_attr(test, schemars(with = "String"))]
    pub verdict: Conclusion,
    /// Scenarios by outcome.
    pub outcomes: BTreeMap<OutcomeWord, usize>,
}

/// A row of the ledger.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RequirementRecord {
    /// The profile.
    pub profile: Profile,
    /// How strong it is.
    pub level: Level,
    /// `buffering`, `routes-learning`, `database-sequences`; empty for derived rows.
    pub documents: Vec<String>,
    /// The section of these documents.
    pub section: String,
    /// In words.
    pub statement: String,
}

impl RunRecord {
    /// Reads a record from JSON.
    /// It has to be a report of this version, and to have all that it refers to.
    pub fn from_json(text: &str) -> Result<Self, String> {
        fn not_valid(why: impl fmt::Display) -> String {
            format!("not a valid report in JSON, as `--report json=PATH` writes it: {why}")
        }
        let version = serde_json::from_str::<VersionAlone>(text).map_err(not_valid)?.version;
        if version != VERSION {
            return Err(format!(
                "a report of version {version}, but this program reads version {VERSION}: write it \
                 again with this version of the suite, or read it with the version that wrote it"
            ));
        }
        let mut record: Self = serde_json::from_str(text).map_err(not_valid)?;
        for trace in record.scenarios.iter_mut().filter_map(|case| case.trace.as_mut()) {
            // Nobody else has it yet.
            let Some(trace) = Arc::get_mut(trace) else { continue };
            let found = find_bodies(trace, &record.bodies).and_then(|()| trace.check());
            found.map_err(not_valid)?;
        }
        Ok(record)
    }

    /// The record as JSON.
    pub fn to_json(&self) -> String {
        // Strings, numbers and maps with string keys: nothing in a record can fail to serialize.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// What exploration found with a scenario; none for a scenario of a run.
    pub(crate) fn found_as(&self, scenario: &str) -> Option<&FoundRecord> {
        self.explored()?.found_as(scenario)
    }

    /// What was explored, alone or in addition to scenarios.
    pub(crate) fn explored(&self) -> Option<&ExplorationRecord> {
        let beside = self.explored.as_ref().map(|explored| &explored.exploration);
        self.exploration.as_ref().or(beside)
    }

    /// The texts of what exploration found.
    pub(crate) fn explored_features(&self) -> Option<&OwnFeatures> {
        match &self.explored {
            Some(beside) => Some(&beside.features),
            None => self.exploration.as_ref().and(self.features.as_ref()),
        }
    }
}

/// What tells whether this program can read a report.
#[derive(Deserialize)]
struct VersionAlone {
    version: u32,
}
