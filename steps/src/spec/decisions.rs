//! Decisions: how the suite reads what the documents leave open or contradict.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use maud::{Markup, html};
use serde::Deserialize;
use strum::VariantArray;

use super::{prose, requirement_link, spec_page};
#[cfg(test)]
use crate::catalog::Coverage;
use crate::ledger::{Ledger, RequirementId};

const EMBEDDED: &str = include_str!("../../fixtures/decisions.toml");

/// How strictly the suite holds a router to a decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, strum::IntoStaticStr)]
#[serde(rename_all = "lowercase")]
pub enum Strictness {
    /// Only this reading passes.
    #[strum(serialize = "strict: only this reading passes")]
    Strict,
    /// Each reading that is named passes.
    #[strum(serialize = "either: each of these readings passes")]
    Either,
    /// An option of the fleet, or a capability of the router, chooses.
    #[strum(serialize = "a switch: an option or a capability chooses")]
    Switch,
    /// No scenario tests it.
    #[strum(serialize = "not tested")]
    Untested,
}

impl Strictness {
    /// In words.
    pub fn in_words(self) -> &'static str {
        self.into()
    }
}

/// What a decision is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, strum::IntoStaticStr, VariantArray)]
#[serde(rename_all = "lowercase")]
pub enum Topic {
    /// The bytes between router and cells.
    #[strum(serialize = "On the wire")]
    Wire,
    /// What a user may see.
    #[strum(serialize = "What users may see")]
    Visibility,
    /// The documents contradict themselves or each other.
    #[strum(serialize = "Contradictions in the documents")]
    Contradiction,
    /// The documents say nothing.
    #[strum(serialize = "Silence of the documents")]
    Silence,
    /// Ids of rows, in Cells: Database Sequences.
    #[strum(serialize = "Ids of rows")]
    Ids,
}

impl Topic {
    /// The title of its group.
    pub fn title(self) -> &'static str {
        self.into()
    }
}

/// One decision.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decision {
    /// Its stable id, `A-01`.
    pub id: String,
    /// What it is about.
    pub topic: Topic,
    /// What is unclear.
    pub unclear: String,
    /// How it is read, and why.
    pub reading: String,
    /// How strict the suite is.
    pub suite: Strictness,
    /// Why no scenario tests the reading although scenarios cite one of its requirements.
    #[serde(default)]
    pub why: Option<String>,
    /// The requirements that it affects.
    #[serde(default)]
    pub requirements: Vec<RequirementId>,
}

/// All decisions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decisions(Vec<Decision>);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    version: u32,
    decision: Vec<Decision>,
}

impl Decisions {
    /// The decisions that are built into the program.
    pub fn embedded() -> &'static Self {
        static DECISIONS: LazyLock<Decisions> = LazyLock::new(|| {
            Decisions::parse(EMBEDDED)
                .unwrap_or_else(|error| panic!("fixtures/decisions.toml: {error}"))
        });
        &DECISIONS
    }

    /// Reads decisions.
    ///
    /// # Errors
    ///
    /// If the text is not a list of decisions of version 1, or an id appears twice.
    pub fn parse(text: &str) -> Result<Self, DecisionsError> {
        let file: File =
            toml::from_str(text).map_err(|error| DecisionsError::Malformed(error.to_string()))?;
        if file.version != 1 {
            return Err(DecisionsError::Version(file.version));
        }
        let mut seen = BTreeSet::new();
        match file.decision.iter().find(|decision| !seen.insert(&decision.id)) {
            Some(twice) => Err(DecisionsError::Twice(twice.id.clone())),
            None => Ok(Self(file.decision)),
        }
    }

    /// All of them, in the order of the file.
    pub fn all(&self) -> &[Decision] {
        &self.0
    }

    /// The disagreements of decisions and features.
    ///
    /// An untested decision must say why if a scenario cites one of its requirements, and must not
    /// otherwise. A tested decision needs a scenario that cites one of its requirements.
    #[cfg(test)]
    pub fn complaints(&self, coverage: &Coverage<'_>) -> Vec<String> {
        self.0.iter().filter_map(|decision| decision.complaint(coverage)).collect()
    }
}

#[cfg(test)]
impl Decision {
    fn complaint(&self, coverage: &Coverage<'_>) -> Option<String> {
        let id = &self.id;
        let cited = self
            .requirements
            .iter()
            .find_map(|row| coverage.cases(row).first().map(|case| (row, case)));
        match (self.suite, &self.why, cited) {
            (Strictness::Untested, None, Some((row, case))) => Some(format!(
                "{id} is marked as untested, but {} cites {row}: state how strict the suite is, \
                 or add why",
                case.location
            )),
            (Strictness::Untested, Some(_), None) => Some(format!(
                "{id} gives a why, but no scenario cites its requirements: remove the why"
            )),
            (Strictness::Untested, _, _) => None,
            (_, Some(_), _) => {
                Some(format!("{id} gives a why although it is marked as tested: remove the why"))
            }
            (_, None, None) => Some(format!(
                "{id} is marked as tested, but no scenario cites one of its requirements"
            )),
            (_, None, Some(_)) => None,
        }
    }
}

/// Why a text is not a list of decisions.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum DecisionsError {
    /// Not TOML, or a member is missing, unknown or of a wrong type.
    #[error("not a list of decisions: {0}")]
    Malformed(String),
    /// Written for another version of this program.
    #[error("version {0} of the format of decisions, but this program reads version 1")]
    Version(u32),
    /// Two decisions have this id.
    #[error("{0} appears twice")]
    Twice(String),
}

/// The page of the decisions.
pub(super) fn page(decisions: &Decisions, ledger: &Ledger) -> String {
    let content = html! {
        header { h1 { "Decisions" } }
        p {
            "The two router proposals and Cells: Database Sequences leave some questions open, and \
             contradict themselves in others. This page says how the suite reads them, and how \
             strictly. The router contract takes precedence over this page."
        }
        @for topic in Topic::VARIANTS {
            h2 { (topic.title()) }
            div class="tw all" {
                table {
                    thead {
                        tr { th { "Decision" } th { "What is unclear" } th { "How it is read" } }
                    }
                    tbody {
                        @for decision in decisions.all().iter().filter(|one| one.topic == *topic) {
                            "\n" (row(decision, ledger))
                        }
                    }
                }
            }
        }
    };
    spec_page("Decisions", &content)
}

fn row(decision: &Decision, ledger: &Ledger) -> Markup {
    html! {
        tr id=(decision.id) {
            th scope="row" { (decision.id) }
            td { (prose(&decision.unclear)) }
            td {
                (prose(&decision.reading)) br;
                small {
                    (decision.suite.in_words())
                    @if let Some(why) = &decision.why { ": " (prose(why)) }
                }
                " "
                @for row in decision.requirements.iter().filter_map(|id| ledger.row(id)) {
                    (requirement_link(row.id.as_str(), &row.statement))
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::{Catalog, Source};

    #[test]
    fn every_decision_is_complete_and_names_rows_of_the_ledger() {
        let decisions = Decisions::embedded();
        assert!(decisions.all().len() > 60, "only {}", decisions.all().len());
        for decision in decisions.all() {
            let unknown =
                decision.requirements.iter().find(|id| Ledger::embedded().row(id).is_none());
            assert_eq!(unknown, None, "{}", decision.id);
            assert!(decision.id.starts_with("A-"), "{}", decision.id);
            for sentence in [&decision.unclear, &decision.reading].into_iter().chain(&decision.why)
            {
                assert!(sentence.ends_with(['.', '?']), "{}: {sentence}", decision.id);
            }
        }
    }

    #[test]
    fn decisions_and_features_agree() {
        let catalog = Catalog::embedded();
        let complaints = Decisions::embedded().complaints(&Coverage::of(&catalog));
        assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    }

    #[test]
    fn each_kind_of_disagreement_with_the_features_is_found() {
        const CITING: &str = "\
Feature: F

  @buffering @req:BF-03
  Scenario: a page arrives
    Given a cold EU router
    When anna visits \"/a\"
    Then it is so (BF-03)
";
        let citing = Catalog::load([Source { path: "a.feature", text: CITING }]);
        let silent = Catalog::default();
        let complains = |catalog: &Catalog, rest: &str| {
            let head = concat!(
                "id = \"A-01\"\ntopic = \"wire\"\nunclear = \"?\"\nreading = \".\"\n",
                "requirements = [\"BF-03\"]\n"
            );
            let decisions =
                Decisions::parse(&format!("version = 1\n[[decision]]\n{head}{rest}\n")).unwrap();
            !decisions.complaints(&Coverage::of(catalog)).is_empty()
        };
        for (suite, with_scenario, without) in [
            ("suite = \"untested\"", true, false),
            ("suite = \"untested\"\nwhy = \".\"", false, true),
            ("suite = \"strict\"", false, true),
            ("suite = \"strict\"\nwhy = \".\"", true, true),
        ] {
            assert_eq!(complains(&citing, suite), with_scenario, "{suite}, and a scenario");
            assert_eq!(complains(&silent, suite), without, "{suite}, and none");
        }
    }

    #[test]
    fn an_invalid_list_of_decisions_is_refused() {
        let one = concat!(
            "[[decision]]\nid = \"A-01\"\ntopic = \"wire\"\nunclear = \"?\"\nreading = \".\"\n",
            "suite = \"strict\"\n"
        );
        assert!(Decisions::parse(&format!("version = 1\n{one}")).is_ok());
        assert!(matches!(
            Decisions::parse(&format!("version = 1\n{one}{one}")),
            Err(DecisionsError::Twice(_))
        ));
        assert!(matches!(
            Decisions::parse(&format!("version = 2\n{one}")),
            Err(DecisionsError::Version(2))
        ));
        assert!(matches!(Decisions::parse("version = 1"), Err(DecisionsError::Malformed(_))));
    }
}
