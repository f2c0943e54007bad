//! What was decided where the documents are silent or contradict themselves.

use std::collections::BTreeSet;
use std::fmt::{self, Write as _};
use std::sync::LazyLock;

use serde::Deserialize;

use super::{Prose, begin, end, requirement_link};
use crate::coverage::Coverage;
use crate::ledger::{Ledger, RequirementId};

const EMBEDDED: &str = include_str!("../../fixtures/decisions.toml");

/// How strictly the suite holds a router to a decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Strictness {
    /// Only the reading passes.
    Strict,
    /// Every way that is named passes.
    Either,
    /// An option of the fleet, or a capability of the router, chooses.
    Switch,
    /// Nothing tests it.
    Untested,
}

impl Strictness {
    fn in_words(self) -> &'static str {
        match self {
            Self::Strict => "strict: only this reading passes",
            Self::Either => "either: each of these ways passes",
            Self::Switch => "a switch: an option or a capability chooses",
            Self::Untested => "not tested",
        }
    }
}

/// What a decision is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Topic {
    /// The bytes between router and cells.
    Wire,
    /// Who gets to see what.
    Visibility,
    /// The documents contradict themselves or each other.
    Contradiction,
    /// The documents say nothing.
    Silence,
    /// Ids of rows, in Cells: Database Sequences.
    Ids,
}

impl Topic {
    const ALL: [(Self, &'static str); 5] = [
        (Self::Wire, "On the wire"),
        (Self::Visibility, "Who sees what"),
        (Self::Contradiction, "Where the texts contradict themselves"),
        (Self::Silence, "Where the texts are silent"),
        (Self::Ids, "Ids of rows"),
    ];
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
    /// Why nothing tests the reading, where scenarios cite one of the requirements all the same.
    #[serde(default)]
    pub why: Option<String>,
    /// The requirements that it bears on.
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
    /// Where the text is no list of decisions of version 1, or an id stands in it twice.
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

    /// Where decisions and features disagree: a decision that nothing is said to test though a
    /// scenario cites one of its requirements, unless it says why; such a reason where none is
    /// needed; and a decision that is said to be tested though no scenario cites any of its
    /// requirements.
    pub fn complaints(&self, coverage: &Coverage<'_>) -> Vec<String> {
        self.0.iter().filter_map(|decision| decision.complaint(coverage)).collect()
    }
}

impl Decision {
    fn complaint(&self, coverage: &Coverage<'_>) -> Option<String> {
        let id = &self.id;
        let cited = self
            .requirements
            .iter()
            .find_map(|row| coverage.cases(row).first().map(|case| (row, case)));
        match (self.suite, &self.why, cited) {
            (Strictness::Untested, None, Some((row, case))) => Some(format!(
                "{id} says that nothing tests it, and {} cites {row}: say how strict the suite is, or why it is not",
                case.location
            )),
            (Strictness::Untested, Some(_), None) => Some(format!(
                "{id} says why nothing tests it, though no scenario cites its requirements"
            )),
            (Strictness::Untested, _, _) => None,
            (_, Some(_), _) => {
                Some(format!("{id} says why nothing tests it, and that something does"))
            }
            (_, None, None) => Some(format!(
                "{id} is said to be tested, and no scenario cites one of its requirements"
            )),
            (_, None, Some(_)) => None,
        }
    }
}

/// Why a text is no list of decisions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DecisionsError {
    /// Not TOML, or a member is missing, unknown or of a wrong type.
    Malformed(String),
    /// Written for another version of this program.
    Version(u32),
    /// One id for two decisions.
    Twice(String),
}

impl fmt::Display for DecisionsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed(error) => write!(f, "no decisions: {error}"),
            Self::Version(version) => write!(
                f,
                "version {version} of the format of decisions, but this program reads version 1"
            ),
            Self::Twice(id) => write!(f, "{id} stands there twice"),
        }
    }
}

impl std::error::Error for DecisionsError {}

/// The page.
pub(super) fn page(decisions: &Decisions, ledger: &Ledger) -> String {
    let mut page = begin("Decisions");
    page.push_str(
        "<header><h1>Decisions</h1></header>\n<p>The two router proposals and Cells: Database Sequences leave some things open, and contradict \
         themselves in others. This is how the suite reads them, and how strictly. Where the router contract fixes something, the contract stands.</p>\n",
    );
    for (topic, title) in Topic::ALL {
        let _ = write!(
            page,
            "<h2>{title}</h2>\n<div class=\"tw all\"><table><thead><tr><th>Decision</th><th>What is unclear</th><th>How it is read</th></tr></thead><tbody>\n"
        );
        for decision in decisions.all().iter().filter(|decision| decision.topic == topic) {
            let link = |id: &RequirementId| {
                ledger.row(id).map(|row| requirement_link(id.as_str(), &row.statement))
            };
            let links: String = decision.requirements.iter().filter_map(link).collect();
            let _ = writeln!(
                page,
                "<tr id=\"{0}\"><th scope=\"row\">{0}</th><td>{1}</td><td>{2}<br><small>{3}{4}</small> {links}</td></tr>",
                decision.id,
                Prose(&decision.unclear),
                Prose(&decision.reading),
                decision.suite.in_words(),
                decision.why.iter().map(|why| format!(": {}", Prose(why))).collect::<String>()
            );
        }
        page.push_str("</tbody></table></div>\n");
    }
    end(&mut page);
    page
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::{Catalog, Source};

    #[test]
    fn every_decision_is_whole_and_bears_on_what_the_ledger_knows() {
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
    fn every_kind_of_disagreement_with_the_features_is_found() {
        const CITING: &str = "Feature: F\n\n  @buffering @req:BF-03\n  Scenario: s\n    Given a cold EU router\n    \
                              When anna visits \"/a\"\n    Then it is so (BF-03)\n";
        let citing = Catalog::load([Source { path: "a.feature", text: CITING }]);
        let silent = Catalog::default();
        let complains = |catalog: &Catalog, rest: &str| {
            let head = "id = \"A-01\"\ntopic = \"wire\"\nunclear = \"?\"\nreading = \".\"\nrequirements = [\"BF-03\"]\n";
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
    fn what_is_no_list_of_decisions_is_refused() {
        let one = "[[decision]]\nid = \"A-01\"\ntopic = \"wire\"\nunclear = \"?\"\nreading = \".\"\nsuite = \"strict\"\n";
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
