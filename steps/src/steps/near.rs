//! Expressions that are worded nearly like a step.

use std::sync::LazyLock;

use cucumber::gherkin::{Step, StepType};
use regex::Regex;

use super::definition::DEFINITIONS;
use crate::ledger::RequirementId;

/// The most that are named.
const MOST: usize = 3;
/// How like two texts are, from 0 to 1, so that one may be meant by the other.
const ALIKE: f64 = 0.5;

/// What differs between steps of one expression: texts in quotes, and parameters.
static VARIABLE: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r#""[^"]*"|\{[a-z]*\}"#;
    Regex::new(pattern).unwrap_or_else(|error| panic!("{pattern}: {error}"))
});

/// The expressions of the step's kind that are worded nearly like it, the nearest first.
pub(crate) fn near(step: &Step) -> Vec<&'static str> {
    let text = match step.ty {
        StepType::Then => RequirementId::split_citation(&step.value).map(|(text, _)| text),
        StepType::Given | StepType::When => None,
    };
    let fixed = |text| VARIABLE.replace_all(text, "");
    let text = fixed(text.unwrap_or(&step.value));
    let of_kind = DEFINITIONS.iter().filter(|definition| definition.kind == step.ty);
    let likeness = |expression| strsim::sorensen_dice(&fixed(expression), &text);
    let mut near: Vec<_> = of_kind
        .map(|definition| (likeness(definition.expression), definition.expression))
        .filter(|(likeness, _)| *likeness >= ALIKE)
        .collect();
    near.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    near.into_iter().take(MOST).map(|(_, expression)| expression).collect()
}
