//! `cells-conformance list`: scenarios by name, the tags that select them, the steps that they are made
//! of, and what the requirements say.

mod explain;
mod steps;
mod tags;

use std::fmt::Write as _;

use clap::{Args, Subcommand, ValueEnum};
use serde_json::{Value, json};

use super::output::{Ended, Failed, print};
use super::select::SelectionOptions;
use conformance_suite::catalog::Case;
use conformance_suite::engine::ExitCode;
use conformance_suite::ledger::Ledger;

/// List scenarios by name; also tags and steps, and explain requirements
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(super) struct List {
    #[command(subcommand)]
    other: Option<Other>,
    #[command(flatten)]
    scenarios: Listed,
}

#[derive(Debug, Subcommand)]
enum Other {
    /// List the tags that `--tag` takes, by kind, each with the number of its cases
    Tags(Listed),
    Steps(steps::Steps),
    Explain(explain::Explain),
}

#[derive(Debug, Args)]
struct Listed {
    #[command(flatten)]
    selection: SelectionOptions,
    /// Format of standard output
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
enum Format {
    /// A line for each
    #[default]
    Text,
    /// One array of JSON
    Json,
}

impl List {
    pub(super) fn execute(&self) -> Ended {
        match &self.other {
            None => self.scenarios.print(lines, |cases| {
                let ledger = Ledger::embedded();
                cases.iter().map(|case| described(case, ledger)).collect()
            }),
            Some(Other::Tags(listed)) => listed.print(tags::lines, tags::described),
            Some(Other::Steps(command)) => command.execute(),
            Some(Other::Explain(command)) => command.execute(),
        }
    }
}

impl Listed {
    /// Prints what is said of the selected cases: as lines, or as an array of values.
    fn print(&self, lines: fn(&[Case]) -> String, values: fn(&[Case]) -> Vec<Value>) -> Ended {
        let catalog = self.selection.catalog()?;
        let cases = self.selection.selection().of(&catalog.cases, Ledger::embedded())?;
        let text = match self.format {
            Format::Text => lines(&cases),
            Format::Json => array(values(&cases)),
        };
        let printed = print(text.as_bytes()).unwrap_or_else(Failed::tell);
        for error in &catalog.errors {
            eprintln!("SUITE ERROR {}\n  {}", error.name, error.message);
        }
        Ok(if catalog.errors.is_empty() { printed } else { ExitCode::SuiteFault })
    }
}

fn lines(cases: &[Case]) -> String {
    let mut text = String::new();
    for case in cases {
        let ids: Vec<_> = case.requirements.iter().map(ToString::to_string).collect();
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}  {}", case.name, ids.join(" "));
    }
    text
}

/// An array with an element on each line, so that line tools can read it as well.
fn array(elements: Vec<Value>) -> String {
    let lines: Vec<_> = elements.iter().map(ToString::to_string).collect();
    format!("[\n{}\n]\n", lines.join(",\n"))
}

/// All that can be known of a case without running it.
fn described(case: &Case, ledger: &Ledger) -> Value {
    let needs = case.needs();
    let needed = [("router", needs.router), ("process", needs.process)];
    let needs: Vec<_> =
        needed.into_iter().filter(|(_, needed)| *needed).map(|(name, _)| name).collect();
    let requirements = case.requirements.iter().map(
        |id| json!({ "id": id.as_str(), "level": ledger.row(id).map(|row| row.level.to_string()) }),
    );
    json!({
        "name": case.name,
        "file": case.file,
        "line": case.line(),
        "feature": case.feature,
        "rule": case.rule,
        "title": case.title,
        "protocol": case.protocol.as_str(),
        "profile": case.profile(ledger).to_string(),
        "capability": case.capability(),
        "tags": case.tags,
        "requirements": requirements.collect::<Vec<_>>(),
        "needs": needs,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use conformance_suite::catalog::Catalog;

    #[test]
    fn every_case_is_described_with_levels_and_place() {
        let (catalog, ledger) = (Catalog::embedded(), Ledger::embedded());
        let all: Vec<_> = catalog.cases.iter().map(|case| described(case, ledger)).collect();
        let read: Vec<Value> = serde_json::from_str(&array(all)).unwrap();
        assert_eq!(read.len(), catalog.cases.len());
        for (one, case) in read.iter().zip(&catalog.cases) {
            assert_eq!(one["name"], case.name.as_str());
            assert_eq!(format!("{}:{}", one["file"].as_str().unwrap(), one["line"]), case.location);
            let levels = one["requirements"].as_array().unwrap();
            assert!(!levels.is_empty() && levels.iter().all(|row| row["level"].is_string()));
        }
        assert!(read.iter().any(|one| one["capability"] == "upgrade"));
        assert!(read.iter().any(|one| one["needs"] == json!(["router", "process"])));
    }
}
