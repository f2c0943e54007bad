//! How the definition of a step is found, and what a person or an editor needs to know of all.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use cucumber::gherkin::{Step, StepType};
use regex::Regex;
use serde::Serialize;

use super::definition::{DEFINITIONS, Definition};
use super::meaning::Meaning;
use super::parameters::PATTERNS;
use crate::action::Needs;
use crate::ledger::RequirementId;

pub struct Found {
    pub expression: &'static str,
    pub(crate) meaning: Meaning,
    /// What stands in quotes in the step.
    pub(crate) quoted: Vec<String>,
    /// The requirement that a Then step proves. The steps of a case cite one, whatever its protocol.
    pub(crate) cites: Option<RequirementId>,
}

/// Why no definition is found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NotFound {
    /// No expression fits the step.
    Undefined,
    /// Several expressions fit it.
    Ambiguous(Vec<&'static str>),
}

/// Finds the definition of a step, and reads the step.
pub fn find(step: &Step) -> Result<Found, NotFound> {
    let citation = match step.ty {
        StepType::Then => RequirementId::split_citation(&step.value),
        StepType::Given | StepType::When => None,
    };
    let (text, cites) = match citation {
        Some((text, [id, _])) => (text, Some(id)),
        None => (step.value.as_str(), None),
    };
    let of_kind = DEFINITIONS.iter().filter(|definition| definition.kind == step.ty);
    let mut fitting =
        of_kind.filter_map(|definition| Some((definition, definition.captures(text)?)));
    let (definition, captures) = fitting.next().ok_or(NotFound::Undefined)?;
    let expression = |definition: &Definition| definition.expression;
    let others: Vec<_> = fitting.map(|(other, _)| expression(other)).collect();
    if !others.is_empty() {
        return Err(NotFound::Ambiguous([vec![expression(definition)], others].concat()));
    }
    Ok(Found {
        expression: definition.expression,
        meaning: definition.read(step, &captures),
        quoted: definition.quoted(&captures),
        cites,
    })
}

/// What steps need together. A step that is not defined needs nothing: its case cannot run.
pub fn needs<'s>(steps: impl IntoIterator<Item = &'s Step>) -> Needs {
    steps.into_iter().filter_map(|step| Some(find(step).ok()?.meaning.needed())).collect()
}

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

/// A step definition, as a writer of scenarios needs it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct DescribedStep {
    /// `Given`, `When` or `Then`.
    pub keyword: String,
    /// A cucumber expression. The steps of a Then expression end with a citation as well, like
    /// ` (BF-03)`.
    pub expression: &'static str,
    pub parameters: Vec<&'static str>,
    /// Whether a doc string follows.
    pub doc_string: bool,
}

/// All step definitions: Given, When, Then, each in the order of their expressions.
pub fn described() -> Vec<DescribedStep> {
    let mut all: Vec<_> = DEFINITIONS
        .iter()
        .map(|definition| DescribedStep {
            keyword: format!("{:?}", definition.kind),
            expression: definition.expression,
            parameters: definition.parameters.clone(),
            doc_string: definition.takes_doc_string,
        })
        .collect();
    all.sort_by_key(|step| {
        (["Given", "When", "Then"].iter().position(|kind| step.keyword == *kind), step.expression)
    });
    all
}

/// The regular expressions of all parameters, by name.
pub fn parameters() -> BTreeMap<&'static str, &'static str> {
    PATTERNS.iter().copied().collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::LazyLock;

    use super::super::meaning::BoundStep;
    use super::*;
    use crate::action::Action;
    use crate::catalog::Catalog;

    #[test]
    fn every_definition_is_used() {
        let (catalog, proposals) = (Catalog::embedded(), Catalog::proposals());
        let steps = catalog.cases.iter().chain(&proposals.cases).flat_map(|case| &case.steps);
        let used: BTreeSet<_> =
            steps.filter_map(|step| Some(find(step).ok()?.expression)).collect();
        let unused: Vec<_> = DEFINITIONS
            .iter()
            .filter(|definition| !used.contains(definition.expression))
            .map(|definition| definition.expression)
            .collect();
        assert!(unused.is_empty(), "no scenario has these steps: {unused:#?}");
    }

    fn actions() -> impl Iterator<Item = (&'static str, Step, Action)> {
        static CATALOGS: LazyLock<[Catalog; 2]> =
            LazyLock::new(|| [Catalog::embedded(), Catalog::proposals()]);
        CATALOGS.iter().flat_map(|catalog| &catalog.cases).flat_map(|case| {
            let steps = case.steps.iter().filter(|step| step.ty == StepType::When);
            steps.map(|step| match find(step).unwrap().meaning.bound() {
                Ok(BoundStep::Action(action)) => (case.name.as_str(), step.clone(), action),
                other => panic!("{}: `{}` is {other:?}", case.name, step.value),
            })
        })
    }

    #[test]
    fn an_action_renders_the_step_that_it_was_parsed_from() {
        let mut count = 0;
        for (case, step, action) in actions() {
            let rendered = action.as_gherkin();
            // An outline writes the plural for each of its numbers.
            let text = step.value.replace(" 1 random bytes", " 1 random byte");
            assert_eq!(rendered.text, text, "{case}");
            let doc_string =
                |text: &Option<String>| text.as_deref().map(|text| text.trim().to_owned());
            assert_eq!(doc_string(&rendered.doc_string), doc_string(&step.docstring), "{case}");
            // A report has the action as this step.
            let json = serde_json::to_string(&action).unwrap();
            assert_eq!(serde_json::from_str::<Action>(&json).unwrap(), action, "{case}");
            count += 1;
        }
        assert!(count > 1_000, "{count}");
    }

    #[test]
    fn what_an_action_needs_follows_from_its_route() {
        let needs = |text: &str| {
            let visit = |(_, step, _): &(&str, Step, Action)| step.value == text;
            actions().find(visit).map(|(_, _, action)| action.needs()).unwrap()
        };
        assert_eq!(needs("the EU router restarts"), Needs::ROUTER | Needs::PROCESS);
        assert_eq!(needs("the faults end"), Needs::NONE);
    }
}
