//! `cells-conformance list steps`: the steps that scenarios are made of. The Cucumber language server
//! of an editor reads them as glue code, since it knows neither our tables of definitions nor their
//! parameters, but the calls of Cucumber for JavaScript.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use clap::{Args, ValueEnum};

use crate::cli::output::{Ended, Failed, print};
use conformance_suite::catalog::Catalog;
use conformance_suite::steps::{DescribedStep, described, find, parameters};

/// Print the steps that scenarios are made of, also for editors
#[derive(Debug, Args)]
pub(in crate::cli) struct Steps {
    /// Only steps with all of these words
    #[arg(value_name = "WORD")]
    words: Vec<String>,
    /// Format of standard output
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
enum Format {
    /// Each expression with a step of the suite, for people
    #[default]
    Text,
    /// Step definitions without a body, for the Cucumber language server of an editor
    Glue,
}

impl Steps {
    pub(super) fn execute(&self) -> Ended {
        let parameters = parameters();
        let has = |step: &DescribedStep, word: &String| {
            // Words of a step may stand in a parameter: a router `stops` or `restarts`.
            let patterns = step.parameters.iter().filter_map(|name| parameters.get(name).copied());
            let text: String = [step.keyword.as_str(), " ", step.expression, " "]
                .into_iter()
                .chain(patterns)
                .collect();
            text.to_lowercase().contains(&word.to_lowercase())
        };
        let steps: Vec<_> = described()
            .into_iter()
            .filter(|step| self.words.iter().all(|word| has(step, word)))
            .collect();
        if steps.is_empty() {
            let words = self.words.join(" ");
            return Err(Failed::Usage(format!("no step has the words {words}")));
        }
        let text = match self.format {
            Format::Text => text(&steps),
            Format::Glue => glue(&steps, &parameters),
        };
        print(text.as_bytes())
    }
}

/// A step of the suite for each expression: its text, and where it stands.
fn examples() -> BTreeMap<(String, &'static str), (String, String)> {
    let mut examples = BTreeMap::new();
    for case in Catalog::embedded().cases.iter().chain(&Catalog::proposals().cases) {
        for step in &case.steps {
            let Ok(found) = find(step) else { continue };
            let place = format!("features/{}:{}", case.file, step.position.line);
            examples
                .entry((format!("{:?}", step.ty), found.expression))
                .or_insert_with(|| (step.value.clone(), place));
        }
    }
    examples
}

fn text(steps: &[DescribedStep]) -> String {
    let examples = examples();
    let mut text = String::new();
    for step in steps {
        let mark = if step.doc_string { "  (and a doc string)" } else { "" };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{} {}{mark}", step.keyword, step.expression);
        if let Some((example, place)) = examples.get(&(step.keyword.clone(), step.expression)) {
            let _ = writeln!(text, "    {example}\n    {place}");
        }
    }
    text.push_str("\nParameters, as regular expressions:\n");
    let used: Vec<_> = steps.iter().flat_map(|step| &step.parameters).collect();
    for (name, pattern) in parameters().iter().filter(|(name, _)| used.contains(name)) {
        let _ = writeln!(text, "  {{{name}}}  {pattern}");
    }
    text.push_str("\nA Then step ends with what it proves, like ` (BF-03)`.\n");
    text
}

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
fn glue(steps: &[DescribedStep], parameters: &BTreeMap<&str, &str>) -> String {
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

    #[test]
    fn every_step_is_printed_with_an_example() {
        let all = described();
        assert!(all.len() > 100, "{}", all.len());
        let printed = text(&all);
        // A step is for the scenarios of others alone.
        assert!(examples().len() + 1 >= all.len(), "{} of {}", examples().len(), all.len());
        for step in &all {
            assert!(printed.contains(step.expression));
        }
    }

    #[test]
    fn every_step_and_parameter_is_in_the_glue() {
        let (steps, parameters) = (described(), parameters());
        let glue = glue(&steps, &parameters);
        for step in &steps {
            assert!(!step.expression.contains(['`', '$']), "{}", step.expression);
            assert!(glue.contains(&format!("{}(`{}", step.keyword, step.expression)));
        }
        for name in parameters.keys().filter(|name| !BUILT_IN.contains(name)) {
            assert!(glue.contains(&format!("{{ name: '{name}', regexp: /")), "{name}");
        }
    }
}
