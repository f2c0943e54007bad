//! `cells-conformance list explain`: a requirement, its source and its scenarios; a decision and what
//! it bears on.

mod decision;
mod lookup;

use std::fmt::{self, Write as _};

use clap::Args;
use textwrap::{Options, WordSeparator, WordSplitter, WrapAlgorithm};

use crate::cli::ended::{Ended, print};
use conformance_suite::catalog::{Case, Catalog, Coverage};
use conformance_suite::engine::counted;
use conformance_suite::ledger::{EngineHint, Ledger, Requirement};
use conformance_suite::report::Screen;
use conformance_suite::spec::Decisions;
use lookup::Entry;

/// Widest line of running text.
const WIDTH: usize = 100;

/// Explain requirements and decisions: statement, source, and scenarios
#[derive(Debug, Args)]
pub(in crate::cli) struct Explain {
    /// Ids of requirements, like BF-03, and of decisions, like A-30
    #[arg(required = true, value_name = "ID")]
    ids: Vec<String>,
    /// Two lines for each: what it says, then where it is from and what tests it
    #[arg(long)]
    short: bool,
}

impl Explain {
    pub(super) fn execute(&self) -> Ended {
        let (ledger, decisions) = (Ledger::embedded(), Decisions::embedded());
        // All ids are looked up first, so that an unknown one is not missed among explanations.
        let found = self.ids.iter().map(|id| lookup::find(id, ledger, decisions));
        let found = found.collect::<Result<Vec<_>, _>>()?;
        let catalog = Catalog::embedded();
        let coverage = Coverage::of(&catalog);
        let explained: Result<Vec<_>, _> = found
            .iter()
            .map(|one| match one {
                Entry::Requirement(row) if self.short => Ok(short(row, coverage.cases(&row.id))),
                Entry::Requirement(row) => explain(row, coverage.cases(&row.id)),
                Entry::Decision(decision) if self.short => Ok(decision::short(decision)),
                Entry::Decision(decision) => decision::explain(decision, ledger, &coverage),
            })
            .collect();
        // Writing to a string cannot fail.
        let between = if self.short { "" } else { "\n" };
        print(explained.unwrap_or_default().join(between).as_bytes())
    }
}

/// A requirement in two lines.
fn short(row: &Requirement, cases: &[&Case]) -> String {
    let tested = match cases.len() {
        0 => row.without_scenarios().unwrap_or_else(|| "untested".to_owned()),
        count => format!("run --tag req:{} runs {}", row.id, counted(count, "case")),
    };
    let Requirement { id, level, profile, statement, .. } = row;
    format!("{id}  {level}, {profile}: {statement}\n  {}; {tested}\n", source(row))
}

fn source(row: &Requirement) -> String {
    let documents: Vec<_> = row.documents.iter().map(|document| title(document)).collect();
    let source = if documents.is_empty() {
        "derived from".to_owned()
    } else {
        format!("source: {}", documents.join(" and "))
    };
    format!("{source}: {}", row.section)
}

fn explain(row: &Requirement, cases: &[&Case]) -> Result<String, fmt::Error> {
    let mut text = format!("{}  {}, {}\n", row.id, row.level, row.profile);
    wrap(&mut text, &row.statement)?;
    text.push('\n');
    wrap(&mut text, &source(row))?;
    if let Some(sentence) = &row.sentence {
        wrap(&mut text, &format!("in its words: \"{sentence}\""))?;
    }
    if let Some(strength) = row.strength() {
        wrap(&mut text, &format!("how strong: {strength}"))?;
    }
    let engines = row.engines();
    if !engines.is_empty() {
        writeln!(text, "\n  engines do this by themselves:")?;
        for EngineHint { engine, does, switch } in engines {
            wrap(&mut text, &format!("- {engine}: {does}. To switch: {switch}"))?;
        }
    }

    if cases.is_empty() {
        let why = row.without_scenarios();
        let why = why.unwrap_or_else(|| "untested: no reason given".to_owned());
        writeln!(text, "\n  {why}")?;
    } else {
        let scenarios = by_name(cases);
        writeln!(text, "\n  tested by {}:", counted(scenarios.len(), "scenario"))?;
        for (location, name, protocols) in &scenarios {
            writeln!(text, "    {name}[{}]\n      features/{location}", protocols.join(", "))?;
        }
        writeln!(text, "    run: cells-conformance run --tag req:{}", row.id)?;
    }

    writeln!(text, "\n  mutants that break it: cells-lab self-test --list {}", row.id)?;
    Ok(text)
}

/// One entry for each scenario and row of examples: its location, its name, and its protocols.
fn by_name<'a>(cases: &[&'a Case]) -> Vec<(&'a str, &'a str, Vec<&'static str>)> {
    let mut found: Vec<(&str, &str, Vec<_>)> = Vec::new();
    for case in cases {
        let name = case.name.rsplit_once('[').map_or(case.name.as_str(), |(name, _)| name);
        // Both protocols of a scenario stand next to each other in the catalog.
        match found.last_mut().filter(|(_, last, _)| *last == name) {
            Some((_, _, protocols)) => protocols.push(case.protocol.as_str()),
            None => found.push((&case.location, name, vec![case.protocol.as_str()])),
        }
    }
    found
}

/// The title of a document, by its id in the ledger.
fn title(document: &str) -> &str {
    match document {
        "buffering" => "the buffering proposal",
        "routes-learning" => "the routes-learning proposal",
        "database-sequences" => "\"Cells: Database Sequences\"",
        other => other,
    }
}

/// Adds running text, indented and wrapped between words.
fn wrap(text: &mut String, running: &str) -> fmt::Result {
    let words: Vec<_> = running.split_whitespace().collect();
    let width = Screen::stdout().width.map_or(WIDTH + 2, |width| width.min(WIDTH + 2));
    let options = Options::new(width)
        .initial_indent("  ")
        .subsequent_indent("  ")
        .break_words(false)
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation)
        .wrap_algorithm(WrapAlgorithm::FirstFit);
    writeln!(text, "{}", textwrap::fill(&words.join(" "), options))
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use super::*;

    fn explained(id: &str) -> String {
        static CATALOG: LazyLock<Catalog> = LazyLock::new(Catalog::embedded);
        static COVERAGE: LazyLock<Coverage<'static>> = LazyLock::new(|| Coverage::of(&CATALOG));
        let row = Ledger::embedded().row(&id.parse().unwrap()).unwrap();
        explain(row, COVERAGE.cases(&row.id)).unwrap()
    }

    #[test]
    fn an_explanation_has_its_source_and_scenarios() {
        let text = explained("BF-03");
        for part in [
            "BF-03  MUST, core",
            "source: the buffering proposal: ",
            "journeys::project_signed_in::",
            "[buffering]",
            "features/journeys/01_project_signed_in.feature:",
            "--tag req:BF-03",
            "cells-lab self-test --list BF-03",
        ] {
            assert!(text.contains(part), "{part}\n{text}");
        }
        assert!(
            text.lines()
                .filter(|line| !line.starts_with("    "))
                .all(|line| line.chars().count() <= WIDTH + 2)
        );
    }

    #[test]
    fn every_row_can_be_explained_and_every_document_has_a_title() {
        for row in Ledger::embedded().rows() {
            assert!(explained(row.id.as_str()).contains(row.id.as_str()));
            assert!(row.documents.iter().all(|document| title(document) != document), "{}", row.id);
        }
    }
}
