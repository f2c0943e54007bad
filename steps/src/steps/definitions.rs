//! All step definitions, and how the one of a step is found.

use std::sync::LazyLock;

use gherkin::{Step, StepType};

use super::argument::Arguments;
use super::definition::{BoundStep, Definition};
use super::needs::Needs;
use crate::ledger::RequirementId;

/// All definitions.
static DEFINITIONS: LazyLock<Vec<Definition>> = LazyLock::new(super::all);

/// The definition of a step, with what the step fills in.
#[derive(Debug)]
pub(crate) struct Found<'s> {
    pub(crate) definition: &'static Definition,
    /// The texts of the expression's parameters.
    pub(crate) parameters: Vec<&'s str>,
    doc_string: Option<&'s str>,
    /// The requirement that a Then step proves.
    pub(crate) cites: Option<RequirementId>,
}

/// Why no definition is found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum NotFound {
    /// No expression fits the step.
    Undefined,
    /// Several expressions fit it.
    Ambiguous(Vec<&'static str>),
}

impl<'s> Found<'s> {
    /// Reads the arguments.
    pub(crate) fn bind(&self) -> Result<BoundStep, String> {
        let arguments = Arguments { parameters: &self.parameters, doc_string: self.doc_string };
        self.definition.bind(&arguments)
    }

    /// What stands in quotes in the step.
    pub(crate) fn quoted(&self) -> Vec<String> {
        self.definition.quoted(&self.parameters)
    }
}

/// Finds the definition of a step.
pub(crate) fn find(step: &Step) -> Result<Found<'_>, NotFound> {
    let citation = match step.ty {
        StepType::Then => RequirementId::split_citation(&step.value),
        StepType::Given | StepType::When => None,
    };
    let (text, cites) = match citation {
        Some((text, id)) => (text, Some(id)),
        None => (step.value.as_str(), None),
    };
    let of_kind = DEFINITIONS.iter().filter(|definition| definition.kind == step.ty);
    let mut fitting =
        of_kind.filter_map(|definition| Some((definition, definition.captures(text)?)));
    let (definition, parameters) = fitting.next().ok_or(NotFound::Undefined)?;
    let others: Vec<_> = fitting.map(|(other, _)| other.expression).collect();
    if others.is_empty() {
        Ok(Found { definition, parameters, doc_string: step.docstring.as_deref(), cites })
    } else {
        Err(NotFound::Ambiguous([vec![definition.expression], others].concat()))
    }
}

/// What steps need together. A step that is not defined needs nothing: its case cannot run.
pub(crate) fn needs<'s>(steps: impl IntoIterator<Item = &'s Step>) -> Needs {
    steps.into_iter().filter_map(|step| Some(find(step).ok()?.definition.needs)).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::catalog::Catalog;

    #[test]
    fn every_definition_is_used() {
        let catalog = Catalog::embedded();
        let steps = catalog.cases.iter().flat_map(|case| &case.steps);
        let used: BTreeSet<_> =
            steps.filter_map(|step| Some(find(step).ok()?.definition.expression)).collect();
        let unused: Vec<_> =
            DEFINITIONS.iter().filter(|definition| !used.contains(definition.expression)).collect();
        assert!(unused.is_empty(), "no scenario has these steps: {unused:#?}");
    }

    #[test]
    fn every_expression_names_the_parameters_of_its_handler() {
        for definition in DEFINITIONS.iter() {
            // Compiling it compares them.
            definition.compile();
        }
    }

    #[test]
    #[should_panic(expected = "the handler takes other parameters")]
    fn an_expression_with_other_parameters_than_its_handler_is_refused() {
        let definition =
            super::super::definition::given("{word} is {string}", |_: &mut _, _: String| {});
        definition.compile();
    }
}
