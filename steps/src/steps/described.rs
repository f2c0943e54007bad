//! What a person or an editor needs to know of the step definitions.

use std::collections::BTreeMap;

use serde::Serialize;

use super::definition::DEFINITIONS;
use super::parameters::PATTERNS;

/// A step definition, as a writer of scenarios needs it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct DescribedStep {
    /// `Given`, `When` or `Then`.
    pub keyword: String,
    /// A cucumber expression. The steps of a Then expression end with a citation as well, like
    /// ` (BF-03)`.
    pub expression: &'static str,
    /// The names of its parameters, in order.
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
    PATTERNS.into_iter().collect()
}
