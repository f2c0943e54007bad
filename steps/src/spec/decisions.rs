//! Decisions: what the documents leave wrong or open, and how the suite reads it.

#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use maud::Markup;
use serde::{Deserialize, Deserializer, de};
use strum::VariantArray;

use super::chip;
use crate::catalog::documents::{Citation, Documents};
use crate::ledger::RequirementId;

const EMBEDDED: &str = include_str!("../../fixtures/decisions.toml");

/// What is wrong with a place of the documents, or that nothing is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, strum::Display, VariantArray)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// The design does not do what it promises, however good the router is.
    #[strum(serialize = "design fault")]
    DesignFault,
    /// Two places cannot both hold.
    #[strum(serialize = "contradiction")]
    Contradiction,
    /// Something that has to be known is not said.
    #[strum(serialize = "gap")]
    Gap,
    /// The meaning is clear, but the text says something else.
    #[strum(serialize = "slip")]
    Slip,
    /// A choice of this suite and its fleet.
    #[strum(serialize = "choice of this suite")]
    Choice,
}

#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Deserialize, strum::Display, VariantArray,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Severity {
    /// Right responses, isolation, private places, saved data or a whole region depend on it, or
    /// nothing can be built before it is settled.
    Serious,
    /// Careful readers build different things, or somebody pays for what no text names.
    Moderate,
    /// A reader can correct it without asking.
    Minor,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, strum::Display)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// What cells share, and what each has for itself.
    #[strum(serialize = "shared database")]
    SharedDatabase,
    /// What users, routers and cells say to each other.
    #[strum(serialize = "protocol")]
    Protocol,
    /// How the text is written, not what it means.
    #[strum(serialize = "wording")]
    Wording,
}

/// A place of a document that a decision is about, written as in the tags of scenarios.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place(pub(crate) Citation);

impl Place {
    /// In words: document, section and place.
    pub fn in_words(&self) -> String {
        let Citation { document, section, place } = &self.0;
        let heading =
            Documents::embedded().section(&self.0).map_or(section, |found| &found.heading);
        let within = place.in_words().map(|place| format!(", {place}")).unwrap_or_default();
        format!("{document}: {heading}{within}")
    }
}

impl<'de> Deserialize<'de> for Place {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        format!("doc:{text}").parse().map(Self).map_err(|_| {
            de::Error::custom(format!(
                "`{text}` is no place of a document: write DOCUMENT/SECTION, optionally followed \
                 by :item-N, :drawing or :arrow-N"
            ))
        })
    }
}

/// One of the few things that matter most about the proposals.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Finding {
    /// What is wrong, in a few words.
    pub title: String,
    /// The documents in which it is wrong.
    pub of: String,
    /// What happens to whom.
    pub says: String,
    /// The scenario that shows it: the name of a case, without its protocol.
    pub shown_by: String,
    /// The decisions that it is drawn from.
    pub rests_on: Vec<String>,
}

/// A reason of GitLab's for rejecting a proposal.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reason {
    pub of: String,
    /// The reason, in our own words.
    pub says: String,
    /// What this suite shows of it.
    pub shown: String,
    /// The scenario that does: the name of a case, without its protocol.
    pub shown_by: String,
}

/// A text of GitLab's that is not among the documents, and says what became of them.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    pub title: String,
    /// What it is, or which section of it counts.
    pub place: String,
    /// Where it is published.
    pub address: String,
    /// What was read: a commit or a date.
    pub version: String,
}

/// A recommendation to those who decide about the proposals.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recommendation {
    /// What to do, in a few words.
    pub title: String,
    /// What it consists of, and why.
    pub says: String,
    /// The decisions that it is drawn from.
    pub rests_on: Vec<String>,
}

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

#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decision {
    /// Its stable id, `A-01`.
    pub id: String,
    /// The places of the documents that it is about. Only a choice may have none.
    #[serde(default, rename = "where")]
    pub places: Vec<Place>,
    pub kind: Kind,
    pub severity: Severity,
    pub cause: Cause,
    pub unclear: String,
    /// How it is read, and why.
    pub reading: String,
    /// The other reading. A contradiction has one.
    #[serde(default)]
    pub otherwise: Option<String>,
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
    pub suite: Strictness,
    /// Why no scenario tests the reading although scenarios cite one of its requirements.
    #[serde(default)]
    pub why: Option<String>,
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

    pub fn find(&self, id: &str) -> Option<&Decision> {
        self.decisions.iter().find(|decision| decision.id == id)
    }
}

pub(super) fn page_of(kind: Kind) -> &'static str {
    if kind == Kind::Choice { "choices.html" } else { "review.html" }
}

/// A link to a decision, with its question as tooltip.
pub(super) fn decision_link(decision: &Decision) -> Markup {
    chip(page_of(decision.kind), &decision.id, &decision.unclear)
}
