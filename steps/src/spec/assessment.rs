//! What a decision says about the documents in addition to its reading: of what kind the trouble
//! is, how much it matters, where it comes from, and where it stands.

use serde::{Deserialize, Deserializer, de};
use strum::VariantArray;

use crate::catalog::documents::{Citation, Documents};

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

/// How much depends on it.
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

/// What it comes from.
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
    /// The proposal.
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
