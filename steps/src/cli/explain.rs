//! `cells-conformance explain`: a requirement, its source, its scenarios and its mutants.

mod breaking_mutants;

use std::collections::BTreeSet;
use std::fmt::{self, Write as _};
use std::process::ExitCode;

use clap::Args;
use textwrap::{Options, WordSeparator, WordSplitter, WrapAlgorithm};

use super::{print, usage_error};
use crate::catalog::{Case, Catalog};
use crate::coverage::Coverage;
use crate::ledger::{Ledger, Requirement};

/// Widest line of running text.
const WIDTH: usize = 100;
/// Number of ids that are suggested for an unknown one.
const SUGGESTED: usize = 5;

/// Explain requirements: what each asks, its source, and the scenarios that test it.
#[derive(Debug, Args)]
pub(super) struct Explain {
    /// Ids of requirements, like BF-03
    #[arg(required = true, value_name = "ID")]
    ids: Vec<String>,
}

impl Explain {
    pub(super) fn execute(&self) -> ExitCode {
        let ledger = Ledger::embedded();
        // All ids are looked up first, so that an unknown one is not missed among explanations.
        let rows: Result<Vec<_>, _> = self.ids.iter().map(|id| find(id, ledger)).collect();
        let rows = match rows {
            Ok(rows) => rows,
            Err(why) => return usage_error(&why),
        };
        let catalog = Catalog::embedded();
        let coverage = Coverage::of(&catalog);
        let explained: Vec<_> = rows
            .iter()
            .map(|row| explain(row, coverage.cases(&row.id)).unwrap_or_default())
            .collect();
        print(explained.join("\n").as_bytes())
    }
}

/// The row with this id, in upper or lower case, with or without the dash.
fn find<'a>(typed: &str, ledger: &'a Ledger) -> Result<&'a Requirement, String> {
    let wanted = normalized(typed);
    if let Some(row) = ledger.rows().find(|row| normalized(row.id.as_str()) == wanted) {
        return Ok(row);
    }
    let mut near: Vec<_> = ledger
        .rows()
        .map(|row| (strsim::levenshtein(&wanted, &normalized(row.id.as_str())), row.id.as_str()))
        .collect();
    near.sort();
    let near: Vec<_> = near
        .into_iter()
        .filter(|(distance, _)| *distance <= 2)
        .take(SUGGESTED)
        .map(|(_, id)| id)
        .collect();
    Err(if near.is_empty() {
        let areas: BTreeSet<_> =
            ledger.rows().filter_map(|row| row.id.as_str().split('-').next()).collect();
        let areas: Vec<_> = areas.into_iter().collect();
        format!(
            "no requirement {typed}; ids look like BF-03, with one of the areas {}",
            areas.join(", ")
        )
    } else {
        format!("no requirement {typed}; similar ids: {}", near.join(", "))
    })
}

/// The id in a form in which equal ids are equal however they were typed.
fn normalized(id: &str) -> String {
    let id = id.trim().to_uppercase();
    let letters: String =
        id.chars().take_while(|character| character.is_ascii_alphabetic()).collect();
    let number = id[letters.len()..].trim_start_matches(['-', '_', ' ']);
    format!("{letters}{number:0>2}")
}

fn explain(row: &Requirement, cases: &[&Case]) -> Result<String, fmt::Error> {
    let mut text = format!("{}  {}, {}\n", row.id, row.level, row.profile);
    wrap(&mut text, &row.statement)?;
    let documents: Vec<_> = row.documents.iter().map(|document| title(document)).collect();
    let source = if documents.is_empty() {
        "derived from".to_owned()
    } else {
        format!("source: {}", documents.join(" and "))
    };
    text.push('\n');
    wrap(&mut text, &format!("{source}: {}", row.section))?;

    if cases.is_empty() {
        let why =
            row.untested.map_or_else(|| "no reason given".to_owned(), |reason| reason.to_string());
        writeln!(text, "\n  not tested: {why}")?;
    } else {
        let scenarios = by_name(cases);
        writeln!(text, "\n  tested by {}:", counted(scenarios.len(), "scenario"))?;
        for (location, name, protocols) in &scenarios {
            writeln!(text, "    {name}[{}]\n      features/{location}", protocols.join(", "))?;
        }
        writeln!(text, "    run: cells-conformance run --tag req:{}", row.id)?;
    }

    breaking_mutants::describe(&mut text, row)?;
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

fn counted(number: usize, what: &str) -> String {
    if number == 1 { format!("one {what}") } else { format!("{number} {what}s") }
}

/// Adds running text, indented and wrapped between words.
fn wrap(text: &mut String, running: &str) -> fmt::Result {
    let words: Vec<_> = running.split_whitespace().collect();
    let options = Options::new(WIDTH + 2)
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
        let row = find(id, Ledger::embedded()).unwrap();
        explain(row, COVERAGE.cases(&row.id)).unwrap()
    }

    #[test]
    fn an_explanation_has_source_scenarios_and_mutants() {
        let text = explained("BF-03");
        for part in [
            "BF-03  MUST, core",
            "source: the buffering proposal: ",
            "journeys::project_signed_in::",
            "[buffering]",
            "features/journeys/01_project_signed_in.feature:",
            "--tag req:BF-03",
            "broken by ",
            "self-test --quick ",
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
    fn the_reason_of_an_untested_row_is_told() {
        let untested = Ledger::embedded().rows().find(|row| row.untested.is_some()).unwrap();
        let text = explained(untested.id.as_str());
        assert!(text.contains(&format!("not tested: {}", untested.untested.unwrap())), "{text}");
    }

    #[test]
    fn every_row_can_be_explained_and_every_document_has_a_title() {
        for row in Ledger::embedded().rows() {
            assert!(explained(row.id.as_str()).contains(row.id.as_str()));
            assert!(row.documents.iter().all(|document| title(document) != document), "{}", row.id);
        }
    }

    #[test]
    fn an_id_is_found_in_any_case_and_with_or_without_its_dash() {
        for typed in ["BF-03", "bf-03", "BF03", "bf-3", "bf_3", " BF-03 "] {
            assert_eq!(find(typed, Ledger::embedded()).unwrap().id.as_str(), "BF-03", "{typed}");
        }
    }

    #[test]
    fn an_unknown_id_gets_similar_ones() {
        let near = |typed: &str| find(typed, Ledger::embedded()).unwrap_err();
        assert!(near("BG-03").contains("BF-03"), "{}", near("BG-03"));
        assert!(near("BF-99").contains("similar ids: BF-"), "{}", near("BF-99"));
        assert!(near("telepathy").contains("one of the areas"), "{}", near("telepathy"));
        assert!(near("").contains("no requirement") && near("ü-1").contains("no requirement"));
    }
}
