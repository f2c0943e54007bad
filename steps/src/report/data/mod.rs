//! The report as data: what is published, compared and verified. Version 1; its JSON Schema is
//! `docs/report.schema.json`.
//!
//! These types stand apart from those with which the suite works, so that a report keeps its form
//! while the suite changes. Every writer reads these types and nothing else.

mod bytes;
mod convert;
#[cfg(test)]
mod schema;
mod trace;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use bytes::{Body, Plain};
pub(super) use convert::UNKNOWN;
pub use trace::{
    CellData, DatabaseData, FieldData, HopData, OriginData, PreFlightData, ResponseData,
    RouterData, StampData, StrayData, TraceData, UserData, UserResponseData,
};

/// The version of the form.
pub const VERSION: u32 = 1;

/// A whole report.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Report {
    /// Version of the form; 1.
    pub version: u32,
    /// The suite that wrote it.
    pub suite: Suite,
    /// The router that was tested.
    pub router: Router,
    /// How it was run.
    pub run: Run,
    /// What it came to: `conformant`, `not conformant`, `incomplete` or `suite at fault`.
    pub conclusion: String,
    /// The verdict of each profile, in the order core, hardening, fleet.
    pub profiles: Vec<ProfileVerdict>,
    /// What is wrong beside the scenarios: stale known failures, contradicted claims, faults of
    /// features.
    pub complaints: Vec<String>,
    /// The requirements that scenarios of this report cite, by id.
    pub requirements: BTreeMap<String, Requirement>,
    /// All scenarios that were selected, in the order of the features.
    pub scenarios: Vec<Scenario>,
    /// Bodies by the SHA-256 of all their bytes.
    pub bodies: BTreeMap<String, Body>,
}

/// The suite.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Suite {
    /// Its version.
    pub version: String,
    /// SHA-256 over all feature files, with their paths.
    pub features_digest: String,
    /// SHA-256 of the ledger.
    pub ledger_digest: String,
}

/// The router under test, as its router file or its command describes it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Router {
    /// What it is called.
    pub name: String,
    /// Its version, where the router file gives one.
    pub version: Option<String>,
    /// Where one reads about it.
    pub url: Option<String>,
    /// Whom to ask.
    pub contact: Option<String>,
    /// The command that started it; empty where it ran already.
    pub command: Vec<String>,
    /// Protocols that it claims; empty where nothing is claimed, so that both were tried.
    pub protocols: Vec<String>,
    /// Capabilities that it claims.
    pub capabilities: Vec<String>,
}

/// How the suite was run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Run {
    /// When it began, RFC 3339, UTC.
    pub began: String,
    /// How long it took, in milliseconds.
    pub took_ms: u64,
    /// The seed.
    pub seed: u64,
    /// How many scenarios ran side by side.
    pub jobs: usize,
    /// Filters that selected the scenarios; empty for all.
    pub selection: Vec<String>,
    /// Operating system and architecture.
    pub platform: String,
}

/// The verdict of one profile.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ProfileVerdict {
    /// `core`, `hardening` or `fleet`.
    pub profile: String,
    /// `conformant`, `conformant but for known failures`, `not conformant`, `incomplete`,
    /// `suite at fault` or `not run`.
    pub verdict: String,
    /// Scenarios by outcome.
    pub outcomes: BTreeMap<String, usize>,
}

/// A row of the ledger.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Requirement {
    /// `core`, `hardening` or `fleet`.
    pub profile: String,
    /// `MUST`, `SHOULD` or `MAY`.
    pub level: String,
    /// `buffering`, `routes-learning`, `database-sequences`; empty for derived rows.
    pub documents: Vec<String>,
    /// Where it stands there.
    pub section: String,
    /// In words.
    pub statement: String,
}

/// One scenario under one protocol.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Scenario {
    /// The stable name.
    pub name: String,
    /// Path of the feature file below `features/`.
    pub file: String,
    /// Its line there.
    pub line: usize,
    /// Title of the feature.
    pub feature: String,
    /// Title of the rule, where there is one.
    pub rule: Option<String>,
    /// Title of the scenario.
    pub title: String,
    /// `buffering` or `learning`.
    pub protocol: String,
    /// Profile of its main requirement.
    pub profile: String,
    /// All tags, without `@`.
    pub tags: Vec<String>,
    /// The requirements that it cites, the main one first.
    pub requirements: Vec<String>,
    /// Its steps, backgrounds first.
    pub steps: Vec<Step>,
    /// How it ended.
    pub outcome: Outcome,
    /// How long it took, in milliseconds.
    pub took_ms: u64,
    /// What it found violated.
    pub findings: Vec<Finding>,
    /// What it expected to travel, for each step that draws an exchange.
    pub exchanges: Vec<Exchange>,
    /// What happened; nothing where the stage could not be set.
    pub trace: Option<TraceData>,
    /// The ends of the routers' logs.
    pub logs: Vec<Log>,
}

/// A step as it stands in the feature.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Step {
    /// `Given`, `When`, `Then`, `And`.
    pub keyword: String,
    /// The text.
    pub text: String,
    /// The doc string.
    pub doc: Option<String>,
}

/// How a scenario ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Outcome {
    /// `passed`, `warned`, `failed`, `known failure`, `not applicable`, `could not run` or
    /// `suite error`.
    pub word: String,
    /// Why, for the outcomes that need a reason.
    pub reason: Option<String>,
    /// Where one reads more about a known failure.
    pub link: Option<String>,
}

/// A violated requirement.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Finding {
    /// Which one.
    pub requirement: String,
    /// Its level, `MUST`, `SHOULD` or `MAY`.
    pub level: String,
    /// The step that found it, as it stands in the scenario; empty where no step did.
    pub step: String,
    /// Its place in `steps`, counted from 0. Without one, the router did not become ready, or the
    /// scenario could not go on.
    pub step_index: Option<usize>,
    /// What was expected and what was observed, in words.
    pub message: String,
}

/// An exchange that a step expects, beside the observed one.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Exchange {
    /// The step that draws it, as it stands in the scenario; empty where none does.
    pub step: String,
    /// Its place in `steps`, counted from 0.
    pub step_index: Option<usize>,
    /// The expected lines, as the scenario has them.
    pub expected: Vec<String>,
    /// The observed lines, in the same notation.
    pub observed: Vec<String>,
    /// For each observed line, the place in `trace.hops` of the hop that it shows, where it shows
    /// one.
    pub hops: Vec<Option<usize>>,
    /// Where they part, if they do.
    pub divergence: Option<Divergence>,
}

/// Where an observed exchange leaves the expected one.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Divergence {
    /// The expected line, counted from 0; nothing where the exchange should have ended.
    pub expected: Option<usize>,
    /// The observed line, counted from 0; nothing where nothing more was observed.
    pub observed: Option<usize>,
    /// In words.
    pub why: String,
}

/// The end of a router's log.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Log {
    /// `router_eu`.
    pub router: String,
    /// The end of what it wrote.
    pub end: String,
}

impl Report {
    /// Reads a report from JSON.
    ///
    /// # Errors
    ///
    /// Where the text is no report of this version.
    pub fn from_json(text: &str) -> Result<Self, String> {
        let report: Self =
            serde_json::from_str(text).map_err(|error| format!("no report: {error}"))?;
        if report.version == VERSION {
            Ok(report)
        } else {
            Err(format!(
                "a report of version {}, but this program reads version {VERSION}",
                report.version
            ))
        }
    }
}
