//! What is proven about the proposals, and what breaks: the results of models that are checked
//! state by state. `cells-lab proofs` makes them, and this is the record of them.

use std::sync::LazyLock;

use maud::{Markup, html};
use serde::{Deserialize, Serialize};

use super::review::Scenarios;
use crate::report::page::{prose, table};

const EMBEDDED: &str = include_str!("../../fixtures/proofs.json");

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Proofs {
    /// The version of the form: 1.
    pub version: u32,
    /// The properties, in the order in which they are read.
    pub properties: Vec<Property>,
}

/// A property, and what each proposal makes of it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Property {
    pub id: String,
    /// What is claimed, as a sentence.
    pub says: String,
    /// Where it comes from: rows of the ledger, decisions, places of the documents.
    pub source: String,
    pub answers: Vec<Answer>,
}

/// What a proposal makes of a property.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// The proposal or way, with what is added to it.
    pub subject: String,
    /// The bounds of the model.
    pub bounds: String,
    pub holds: bool,
    /// How many states were visited.
    pub states: usize,
    /// The longest path that was followed, in steps.
    pub depth: usize,
    /// The shortest counterexample, in words; empty where the property holds.
    pub steps: Vec<String>,
    /// The scenario that plays it on the fleet, without its protocol; none where only the model has
    /// it.
    pub scenario: Option<String>,
}

impl Proofs {
    /// What `ci/proofs` found last, at full bounds.
    pub fn embedded() -> &'static Self {
        static PROOFS: LazyLock<Proofs> = LazyLock::new(|| {
            serde_json::from_str(EMBEDDED)
                .unwrap_or_else(|error| panic!("fixtures/proofs.json: {error}"))
        });
        &PROOFS
    }

    /// The scenarios that play counterexamples.
    pub fn scenarios(&self) -> impl Iterator<Item = &str> {
        let answers = self.properties.iter().flat_map(|property| &property.answers);
        answers.filter_map(|answer| answer.scenario.as_deref())
    }
}

/// The table of properties, and below it the counterexamples.
pub(super) fn properties(proofs: &Proofs, scenarios: &Scenarios) -> Markup {
    let answers =
        || proofs.properties.iter().flat_map(|one| one.answers.iter().map(move |it| (one, it)));
    html! {
        (table("tw", &["Property", "Of", "Result", "States"], &html! {
            @for property in &proofs.properties {
                @for (number, answer) in property.answers.iter().enumerate() {
                    "\n"
                    tr {
                        @if number == 0 {
                            td rowspan=(property.answers.len()) {
                                (prose(&property.says)) br;
                                small { (property.source) }
                            }
                        }
                        td { (prose(&answer.subject)) br; small { (answer.bounds) } }
                        td { (result(property, answer)) }
                        td { (answer.states) }
                    }
                }
            }
        }))
        h3 { "The shortest counterexamples" }
        @for (property, answer) in answers().filter(|(_, answer)| !answer.holds) {
            article class="card sc" id=(anchor(property, answer)) {
                h3 { (prose(&answer.subject)) ": " (prose(&property.says)) }
                ol { @for step in &answer.steps { li { (step) } } }
                p.tags {
                    @match answer.scenario.as_deref() {
                        Some(name) => { "Played on the fleet: " (scenarios.link(name)) }
                        None => { "Model only: the fleet has no action for it." }
                    }
                }
            }
        }
    }
}

fn result(property: &Property, answer: &Answer) -> Markup {
    html! {
        @if answer.holds {
            span class="t-passed" { "holds" }
        } @else {
            a href={ "#" (anchor(property, answer)) } {
                span class="t-failed" { "breaks in " (answer.steps.len()) " steps" }
            }
        }
    }
}

fn anchor(property: &Property, answer: &Answer) -> String {
    let word = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    format!(
        "{}-{}",
        property.id,
        answer.subject.to_ascii_lowercase().chars().map(word).collect::<String>()
    )
}
