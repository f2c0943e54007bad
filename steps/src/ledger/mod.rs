//! The ledger of requirements: what the documents ask in our own words, one row each.

mod id;
mod sources;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

pub use id::RequirementId;
pub use sources::EngineHint;

/// The ledger file of the repository.
pub(crate) const EMBEDDED: &str = include_str!("../../fixtures/requirements.toml");

/// How strong a requirement is, by the words of its source.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, strum::Display,
)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "UPPERCASE")]
#[strum(serialize_all = "UPPERCASE")]
pub enum Level {
    /// A flat statement of the design, or "require".
    Must,
    /// "should", "expect", "assume".
    Should,
    /// "may", "could", one of several options.
    May,
}

/// The subject of a requirement, and its source.
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Debug,
    Serialize,
    Deserialize,
    strum::Display,
    strum::IntoStaticStr,
)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Profile {
    /// It is about the router, and a document is its source.
    Core,
    /// It is about the router and in no document: derived, so that the suite terminates, is safe,
    /// or can decide.
    Hardening,
    /// Only a cell can violate it: checked on the fake cells, outside the verdict on a router.
    Fleet,
}

impl Profile {
    /// All profiles in the order of reports.
    pub const ALL: [Self; 3] = [Self::Core, Self::Hardening, Self::Fleet];

    /// `core`, `hardening` or `fleet`.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// Why no scenario tests a requirement.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, strum::Display)]
pub enum Untested {
    /// Nothing of it can be observed over HTTP.
    #[serde(rename = "not over HTTP")]
    #[strum(serialize = "not over HTTP")]
    NotOverHttp,
    /// Its scenarios are future work.
    #[serde(rename = "later work")]
    #[strum(serialize = "later work")]
    LaterWork,
    /// It is about the inside of a cell, which no router and no fake cell can show.
    #[serde(rename = "only a cell could")]
    #[strum(serialize = "only a cell could")]
    OnlyACellCould,
    /// It is about the inside of the fleet, where a Rust test shows it.
    #[serde(rename = "a Rust test shows it")]
    #[strum(serialize = "a Rust test shows it")]
    RustTest,
}

/// A requirement: one row of the ledger.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Requirement {
    /// Its stable id, which scenarios and reports cite.
    pub id: RequirementId,
    /// Its subject and source.
    pub profile: Profile,
    /// How strong it is.
    pub level: Level,
    /// Ids of the documents that ask it: `buffering`, `routes-learning`, `database-sequences`.
    /// Empty for a derived requirement.
    pub documents: Vec<String>,
    /// The section of the document, or what a derived requirement follows from.
    pub section: String,
    /// What it asks, in our own words.
    pub statement: String,
    /// The words of the document that carry it, where it is inferred.
    #[serde(default)]
    pub sentence: Option<String>,
    /// Why no scenario tests it, where none does.
    #[serde(default)]
    pub untested: Option<Untested>,
    /// The Rust test that shows it, where one does: its file, and its name.
    #[serde(default)]
    pub test: Option<String>,
}

impl Requirement {
    /// How the row is inferred from its section, such as `follows` or `decision A-91`; none where
    /// the section says it.
    pub fn inference(&self) -> Option<&str> {
        let mut marks = self.section.split('(').filter_map(|part| Some(part.split_once(')')?.0));
        let words = ["follows", "implied", "applied", "drawn", "decision"];
        marks.rfind(|mark| words.iter().any(|word| mark.starts_with(word)))
    }

    /// What is said of a row without scenarios: the test that shows it, or why there is none.
    pub fn without_scenarios(&self) -> Option<String> {
        match (&self.test, self.untested) {
            (Some(test), _) => Some(format!("shown by the test {test}")),
            (None, reason) => reason.map(|reason| format!("untested: {reason}")),
        }
    }
}

/// All requirements.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ledger {
    rows: BTreeMap<RequirementId, Requirement>,
    order: Vec<RequirementId>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    requirement: Vec<Requirement>,
}

impl Ledger {
    /// The ledger that is built into the program.
    pub fn embedded() -> &'static Self {
        static LEDGER: LazyLock<Ledger> = LazyLock::new(|| {
            Ledger::parse(EMBEDDED)
                .unwrap_or_else(|error| panic!("fixtures/requirements.toml: {error}"))
        });
        &LEDGER
    }

    /// Reads a ledger.
    pub fn parse(text: &str) -> Result<Self, toml::de::Error> {
        let File { requirement } = toml::from_str(text)?;
        let order = requirement.iter().map(|row| row.id.clone()).collect();
        let rows = requirement.into_iter().map(|row| (row.id.clone(), row)).collect();
        Ok(Self { rows, order })
    }

    pub fn row(&self, id: &RequirementId) -> Option<&Requirement> {
        self.rows.get(id)
    }

    /// The level of a requirement; a finding under an unknown one counts as a MUST.
    pub fn level(&self, id: &RequirementId) -> Level {
        self.row(id).map_or(Level::Must, |row| row.level)
    }

    /// The rows of another level that a row names, or that name it: they divide a matter between
    /// them.
    pub fn beside(&self, id: &RequirementId) -> Vec<&RequirementId> {
        let Some(row) = self.row(id) else { return Vec::new() };
        let names = |row: &Requirement, id: &RequirementId| {
            row.statement.contains(id.as_str()) || row.section.contains(id.as_str())
        };
        let others = self.rows().filter(|other| {
            other.level != row.level && (names(row, &other.id) || names(other, &row.id))
        });
        others.map(|other| &other.id).collect()
    }

    /// All rows in the order of the ledger.
    pub fn rows(&self) -> impl Iterator<Item = &Requirement> {
        self.order.iter().filter_map(|id| self.rows.get(id))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_ledger_is_well_formed() {
        let Ledger { rows, order } = Ledger::embedded();
        assert!(rows.len() > 200, "only {} rows", rows.len());
        assert_eq!(rows.len(), order.len(), "an id stands for one requirement");
        for row in rows.values() {
            assert_eq!(
                row.documents.is_empty(),
                row.profile == Profile::Hardening,
                "{}: only derived requirements have no document",
                row.id
            );
            assert!(row.statement.ends_with('.'), "{}: the statement is not a sentence", row.id);
        }
    }

    #[test]
    fn an_inferred_must_that_a_router_can_violate_quotes_the_sentence_that_carries_it() {
        for row in Ledger::embedded().rows() {
            let inferred = row.inference().is_some();
            assert!(inferred || row.sentence.is_none(), "{}: its section says it", row.id);
            let binds_routers =
                row.profile == Profile::Core && row.level == Level::Must && row.untested.is_none();
            let carried = row.sentence.as_ref().is_some_and(|sentence| !sentence.is_empty());
            assert!(
                !binds_routers || !inferred || carried,
                "{} is {}: quote the sentence, or make it a SHOULD or hardening",
                row.id,
                row.section
            );
        }
        let mark = |id: &str| Ledger::embedded().row(&id.parse().unwrap()).unwrap().inference();
        assert_eq!(mark("UN-05"), Some("decision A-91"));
        assert_eq!(mark("GL-04"), None, "a flow of a legacy user is no inference");
        assert_eq!(mark("RU-07"), Some("decision A-102"));
    }

    #[test]
    fn a_row_that_a_rust_test_shows_names_the_test() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        for row in Ledger::embedded().rows() {
            let by_test = row.untested == Some(Untested::RustTest);
            assert_eq!(row.test.is_some(), by_test, "{}: a test goes with its reason", row.id);
            let Some(test) = &row.test else { continue };
            let (file, name) = test.split_once(' ').unwrap();
            let text = std::fs::read_to_string(root.join(file)).unwrap();
            assert!(text.contains(&format!("fn {name}(")), "{}: {file} has no {name}", row.id);
        }
    }

    #[test]
    fn rows_of_other_levels_stand_beside_a_row() {
        let beside = |id: &str| {
            let ids = Ledger::embedded().beside(&id.parse().unwrap());
            ids.into_iter().map(RequirementId::as_str).collect::<Vec<_>>()
        };
        assert_eq!(beside("CA-12"), ["Z-65"]);
        assert_eq!(beside("Z-65"), ["CA-12"]);
        assert_eq!(beside("LN-10"), ["LN-25"]);
    }

    #[test]
    fn a_requirement_has_one_level() {
        for row in Ledger::embedded().rows() {
            let second =
                ["(MUST", "(SHOULD", "(MAY"].into_iter().find(|word| row.statement.contains(word));
            assert_eq!(
                second, None,
                "{}: a second level in its statement belongs in a separate row",
                row.id
            );
        }
    }
}
