//! The step definitions as glue code, which the Cucumber language server reads: it knows neither
//! our tables of definitions nor their parameters, but the calls of Cucumber for JavaScript.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use conformance_suite::steps::DescribedStep;

/// The head of the file.
const HEAD: &str = "\
// The steps of cells-conformance, for the Cucumber language server of an editor.
// Written by `cells-conformance list steps --format glue`. Nothing runs this file.
import { defineParameterType, Given, When, Then } from '@cucumber/cucumber';

";

/// The parameters that the language server has already.
const BUILT_IN: [&str; 1] = ["string"];

/// A parameter for the citation at the end of a Then step.
const CITATION: (&str, &str) = ("requirement", "[A-Z]+-[0-9]+");

/// The definitions as JavaScript. Expressions stand between backticks, where the language server
/// takes every character as it is.
pub(super) fn render(steps: &[DescribedStep], parameters: &BTreeMap<&str, &str>) -> String {
    let mut text = HEAD.to_owned();
    let own = parameters.iter().filter(|(name, _)| !BUILT_IN.contains(name));
    for (name, pattern) in own.map(|(name, pattern)| (*name, *pattern)).chain([CITATION]) {
        // A slash would end the literal. Writing to a string cannot fail.
        let pattern = pattern.replace('/', "\\/");
        let _ = writeln!(text, "defineParameterType({{ name: '{name}', regexp: /{pattern}/ }});");
    }
    text.push('\n');
    for DescribedStep { keyword, expression, .. } in steps {
        let citation = if keyword == "Then" { r" \({requirement}\)" } else { "" };
        let _ = writeln!(text, "{keyword}(`{expression}{citation}`, () => {{}});");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use conformance_suite::steps::{described, parameters};

    #[test]
    fn every_step_and_parameter_is_in_the_glue() {
        let (steps, parameters) = (described(), parameters());
        let glue = render(&steps, &parameters);
        for step in &steps {
            assert!(!step.expression.contains(['`', '$']), "{}", step.expression);
            assert!(glue.contains(&format!("{}(`{}", step.keyword, step.expression)));
        }
        for name in parameters.keys().filter(|name| !BUILT_IN.contains(name)) {
            assert!(glue.contains(&format!("{{ name: '{name}', regexp: /")), "{name}");
        }
    }
}
