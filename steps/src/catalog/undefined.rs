//! Steps without a definition, or with arguments that cannot be read.

use std::collections::BTreeSet;

use cucumber::gherkin::{Feature, Step};

use super::Source;
use crate::steps::{self, NotFound};

/// Every step of a feature, with its examples expanded, that cannot run. A step that several
/// examples share gives one complaint for each wording.
pub(super) fn complaints(source: &Source<'_>, feature: &Feature) -> Vec<String> {
    let rules = feature.rules.iter();
    let backgrounds =
        feature.background.iter().chain(rules.clone().filter_map(|rule| rule.background.as_ref()));
    let scenarios = feature.scenarios.iter().chain(rules.flat_map(|rule| &rule.scenarios));
    let given = backgrounds.flat_map(|background| &background.steps);
    let steps = given.chain(scenarios.flat_map(|scenario| &scenario.steps));
    let complaint = |step: &Step| {
        let (line, text) = (step.position.line, &step.value);
        Some((line, format!("{}:{line}: `{text}`: {}", source.path, why(step)?)))
    };
    let found: BTreeSet<_> = steps.filter_map(complaint).collect();
    found.into_iter().map(|(_, complaint)| complaint).collect()
}

/// Why a step cannot run.
fn why(step: &Step) -> Option<String> {
    match steps::find(step) {
        Ok(found) => found.meaning.bound().err(),
        Err(NotFound::Ambiguous(expressions)) => {
            Some(format!("it fits several steps: {}", expressions.join(" and ")))
        }
        Err(NotFound::Undefined) => {
            let near = steps::near(step);
            let kind = format!("{:?}", step.ty);
            Some(if near.is_empty() {
                format!("no {kind} step is like it; `cells-conformance list steps` shows all")
            } else {
                format!("no {kind} step is so worded; near: {}", near.join("; "))
            })
        }
    }
}
