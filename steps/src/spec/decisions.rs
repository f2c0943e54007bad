//! Decisions: what the documents leave wrong or open, and how the suite reads it.

#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use maud::Markup;
use serde::Deserialize;

use super::assessment::{Cause, Finding, Kind, Place, Reason, Recommendation, Severity, Source};
use super::frame::chip;
use crate::ledger::RequirementId;

const EMBEDDED: &str = include_str!("../../fixtures/decisions.toml");

/// How strictly the suite holds a router to a decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, strum::Display)]
#[serde(rename_all = "lowercase")]
pub enum Strictness {
    /// Only this reading passes.
    #[strum(serialize = "strict (only this reading passes)")]
    Strict,
    /// Each reading that is named passes.
    #[strum(serialize = "either (each of these readings passes)")]
    Either,
    /// An option of the fleet, or a capability of the router, chooses.
    #[strum(serialize = "switch (an option of the fleet or a capability of the router chooses)")]
    Switch,
    /// No scenario tests it.
    #[strum(serialize = "untested")]
    Untested,
}

/// One decision.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decision {
    /// Its stable id, `A-01`.
    pub id: String,
    /// The places of the documents that it is about. Only a choice may have none.
    #[serde(default, rename = "where")]
    pub places: Vec<Place>,
    /// What is wrong there.
    pub kind: Kind,
    /// How much depends on it.
    pub severity: Severity,
    /// What it comes from.
    pub cause: Cause,
    /// What is unclear.
    pub unclear: String,
    /// How it is read, and why.
    pub reading: String,
    /// The other reading. A contradiction has one.
    #[serde(default)]
    pub otherwise: Option<String>,
    /// What follows from it.
    pub leads_to: String,
    /// The scenarios that show it: names of cases, without their protocol.
    #[serde(default)]
    pub shown_by: Vec<String>,
    /// What cannot be decided or built before it is settled.
    #[serde(default)]
    pub blocks: Option<String>,
    /// What the document should say. A choice has none.
    #[serde(default)]
    pub should_say: Option<String>,
    /// How strict the suite is.
    pub suite: Strictness,
    /// Why no scenario tests the reading although scenarios cite one of its requirements.
    #[serde(default)]
    pub why: Option<String>,
    /// The requirements that it affects.
    #[serde(default)]
    pub requirements: Vec<RequirementId>,
}

impl Decision {
    /// All that it says in sentences.
    pub fn sentences(&self) -> impl Iterator<Item = &String> {
        let optional = [&self.otherwise, &self.blocks, &self.should_say, &self.why];
        [&self.unclear, &self.reading, &self.leads_to]
            .into_iter()
            .chain(optional.into_iter().flatten())
    }
}

/// All decisions, what follows from them, and what became of the proposals.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decisions {
    #[serde(rename = "decision")]
    decisions: Vec<Decision>,
    /// What is recommended, in the order of the file.
    #[serde(default, rename = "recommendation")]
    pub recommendations: Vec<Recommendation>,
    /// What matters most, in the order of the file.
    #[serde(default, rename = "finding")]
    pub findings: Vec<Finding>,
    /// Why GitLab rejected the proposals.
    #[serde(default, rename = "reason")]
    pub reasons: Vec<Reason>,
    /// Where GitLab says so.
    #[serde(default, rename = "source")]
    pub sources: Vec<Source>,
}

impl Decisions {
    /// The decisions that are built into the program.
    pub fn embedded() -> &'static Self {
        static DECISIONS: LazyLock<Decisions> = LazyLock::new(|| {
            toml::from_str(EMBEDDED)
                .unwrap_or_else(|error| panic!("fixtures/decisions.toml: {error}"))
        });
        &DECISIONS
    }

    /// All of them, in the order of the file.
    pub fn all(&self) -> &[Decision] {
        &self.decisions
    }

    /// The decisions of a kind, the serious ones first.
    pub(super) fn of_kind(&self, kind: Kind) -> Vec<&Decision> {
        let mut found: Vec<_> = self.decisions.iter().filter(|one| one.kind == kind).collect();
        found.sort_by_key(|one| one.severity);
        found
    }

    /// The decisions about a section of a document, without the choices.
    pub(super) fn about(&self, document: &str, section: &str) -> Vec<&Decision> {
        let is_there =
            |Place(place): &Place| place.document == document && place.section == section;
        let findings = self.decisions.iter().filter(|one| one.kind != Kind::Choice);
        findings.filter(|one| one.places.iter().any(is_there)).collect()
    }

    /// The decision with this id.
    pub fn find(&self, id: &str) -> Option<&Decision> {
        self.decisions.iter().find(|decision| decision.id == id)
    }
}

/// The page on which decisions of a kind stand.
pub(super) fn page_of(kind: Kind) -> &'static str {
    if kind == Kind::Choice { "choices.html" } else { "review.html" }
}

/// A link to a decision, with its question as tooltip.
pub(super) fn decision_link(decision: &Decision) -> Markup {
    chip(page_of(decision.kind), &decision.id, &decision.unclear)
}
