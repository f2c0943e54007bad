//! How the definition of a step is found.

use cucumber::gherkin::{Step, StepType};

use super::definition::{DEFINITIONS, Definition};
use super::meaning::Meaning;
use crate::action::Needs;
use crate::ledger::RequirementId;

/// A step that is defined.
pub struct Found {
    /// A cucumber expression.
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
        let (_, asking, _) =
            actions().find(|(_, step, _)| step.value.ends_with(", asking cell_eu1 first")).unwrap();
        assert_eq!(needs(&asking.value), Needs::ROUTER | Needs::CAST);
    }

    #[test]
    fn every_function_says_what_its_steps_mean() {
        for case in &Catalog::embedded().cases {
            for step in &case.steps {
                let found = find(step).unwrap();
                let definition =
                    DEFINITIONS.iter().find(|it| it.expression == found.expression).unwrap();
                assert_eq!(definition.takes_doc_string, step.docstring.is_some(), "{}", step.value);
                assert!(found.meaning.bound().is_ok(), "{}: {}", case.name, step.value);
            }
        }
    }
}
