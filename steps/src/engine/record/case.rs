//! One scenario under one protocol, in a record.

use std::sync::Arc;

use cell_fleet::Protocol;
use serde::{Deserialize, Serialize};

use crate::exchange::Divergence;
use crate::ledger::{Profile, RequirementId};
use crate::trace::Trace;
use crate::verdict::{Finding, Outcome, Stalled};

/// One scenario under one protocol.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CaseRecord {
    /// The stable name.
    pub name: String,
    /// Path of the feature file below `features/`; of a custom one, the path where it was read.
    pub file: String,
    /// Its line there.
    pub line: usize,
    /// Title of the feature.
    pub feature: String,
    /// Title of the rule, if there is one.
    pub rule: Option<String>,
    /// Title of the scenario.
    pub title: String,
    /// The protocol.
    pub protocol: Protocol,
    /// Profile of its main requirement.
    pub profile: Profile,
    /// Whether a router takes part; true if absent. Other scenarios are about the cells alone.
    #[serde(default = "yes", skip_serializing_if = "Clone::clone")]
    pub has_router: bool,
    /// All tags, without `@`.
    pub tags: Vec<String>,
    /// The requirements that it cites, the main one first.
    pub requirements: Vec<RequirementId>,
    /// Its steps, backgrounds first.
    pub steps: Vec<StepRecord>,
    /// How it ended.
    pub outcome: Outcome,
    /// When it began, in milliseconds after the run began.
    pub began_ms: u64,
    /// How long it took, in milliseconds.
    pub took_ms: u64,
    /// The violations that it found.
    pub findings: Vec<Finding>,
    /// What is left out of the findings, since the machine stalled; absent if nothing is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stalled: Option<Stalled>,
    /// What was left out of the findings of earlier runs: the case was run again, alone, on a
    /// quieter machine.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub earlier: Vec<Stalled>,
    /// Expected and observed exchange, for each step that draws one; where none does, the observed
    /// one.
    pub exchanges: Vec<ExchangeRecord>,
    /// What happened; absent if the stage could not be set.
    pub trace: Option<Arc<Trace>>,
    /// The ends of the routers' logs.
    pub logs: Vec<LogRecord>,
}

fn yes() -> bool {
    true
}

/// A step as it stands in the feature.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct StepRecord {
    /// `Given`, `When`, `Then`, `And`.
    pub keyword: String,
    /// The text.
    pub text: String,
    /// The doc string.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub doc: Option<String>,
}

/// An exchange that a step expects, next to the observed one.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ExchangeRecord {
    /// The step that draws it, as it stands in the scenario; empty if no step does.
    pub step: String,
    /// Its index in `steps`.
    pub step_index: Option<usize>,
    /// The expected lines, as the scenario has them.
    pub expected: Vec<String>,
    /// The observed lines, in the same notation.
    pub observed: Vec<String>,
    /// For each observed line, the index in `trace.hops` of the hop that it shows, if it shows one.
    pub hops: Vec<Option<usize>>,
    /// Where they part, if they do.
    pub divergence: Option<Divergence>,
}

/// The end of a router's log.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LogRecord {
    /// `router_eu`.
    pub router: String,
    /// The last lines that it wrote.
    pub end: String,
}

impl CaseRecord {
    /// The capability without which it does not apply, by its tag `@capability:NAME`.
    pub fn capability(&self) -> Option<&str> {
        self.tags.iter().find_map(|tag| tag.strip_prefix("capability:"))
    }

    /// The requirements that it is about, each once: those that it cites, then others that it found
    /// violated.
    pub(crate) fn about(&self) -> Vec<&RequirementId> {
        let found = self.findings.iter().map(|finding| &finding.requirement);
        let mut about = Vec::new();
        for id in self.requirements.iter().chain(found) {
            if !about.contains(&id) {
                about.push(id);
            }
        }
        about
    }
}
