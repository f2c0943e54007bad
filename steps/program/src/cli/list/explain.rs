//! `cells-conformance list explain`: a requirement, its source and its scenarios; a decision and what
//! it bears on.

use std::collections::BTreeSet;

use clap::Args;
use textwrap::{Options, WordSeparator, WordSplitter, WrapAlgorithm};

use crate::cli::output::{Ended, print};
use conformance_suite::catalog::{Case, Catalog, Coverage, without_protocol};
use conformance_suite::engine::counted;
use conformance_suite::ledger::{EngineHint, Ledger, Requirement};
use conformance_suite::report::Screen;
use conformance_suite::spec::{Decision, Decisions};

/// Number of ids that are suggested for an unknown one.
const SUGGESTED: usize = 5;
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
        let found = self.ids.iter().map(|id| find(id, ledger, decisions));
        let found = found.collect::<Result<Vec<_>, _>>()?;
        let catalog = Catalog::embedded();
        let coverage = Coverage::of(&catalog);
        let explained = found.iter().map(|one| match one {
            Entry::Requirement(row) if self.short => short(row, coverage.cases(&row.id)),
            Entry::Requirement(row) => explain(row, coverage.cases(&row.id)),
            Entry::Decision(decision) if self.short => short_decision(decision),
            Entry::Decision(decision) => explain_decision(decision, ledger, &coverage),
        });
        let between = if self.short { "" } else { "\n" };
        print(explained.collect::<Vec<_>>().join(between).as_bytes())
    }
}

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

fn explain(row: &Requirement, cases: &[&Case]) -> String {
    let mut text = format!("{}  {}, {}\n", row.id, row.level, row.profile);
    wrap(&mut text, &row.statement);
    text.push('\n');
    wrap(&mut text, &source(row));
    if let Some(sentence) = &row.sentence {
        wrap(&mut text, &format!("in its words: \"{sentence}\""));
    }
    if let Some(strength) = row.strength() {
        wrap(&mut text, &format!("how strong: {strength}"));
    }
    let engines = row.engines();
    if !engines.is_empty() {
        text.push_str("\n  engines do this by themselves:\n");
        for EngineHint { engine, does, switch } in engines {
            wrap(&mut text, &format!("- {engine}: {does}. To switch: {switch}"));
        }
    }

    if cases.is_empty() {
        let why = row.without_scenarios();
        let why = why.unwrap_or_else(|| "untested: no reason given".to_owned());
        text.push_str(&format!("\n  {why}\n"));
    } else {
        let scenarios = by_name(cases);
        text.push_str(&format!("\n  tested by {}:\n", counted(scenarios.len(), "scenario")));
        for (location, name, protocols) in &scenarios {
            text.push_str(&format!(
                "    {name}[{}]\n      features/{location}\n",
                protocols.join(", ")
            ));
        }
        text.push_str(&format!("    run: cells-conformance run --tag req:{}\n", row.id));
    }

    text.push_str(&format!("\n  mutants that break it: cells-lab self-test --list {}\n", row.id));
    text
}

/// One entry for each scenario and row of examples: its location, its name, and its protocols.
fn by_name<'a>(cases: &[&'a Case]) -> Vec<(&'a str, &'a str, Vec<&'static str>)> {
    let mut found: Vec<(&str, &str, Vec<_>)> = Vec::new();
    for case in cases {
        let name = without_protocol(&case.name);
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
fn wrap(text: &mut String, running: &str) {
    let words: Vec<_> = running.split_whitespace().collect();
    let width = Screen::stdout().width.map_or(WIDTH + 2, |width| width.min(WIDTH + 2));
    let options = Options::new(width)
        .initial_indent("  ")
        .subsequent_indent("  ")
        .break_words(false)
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation)
        .wrap_algorithm(WrapAlgorithm::FirstFit);
    text.push_str(&textwrap::fill(&words.join(" "), options));
    text.push('\n');
}

fn short_decision(decision: &Decision) -> String {
    let Decision { id, unclear, reading, .. } = decision;
    format!("{id}  unclear: {unclear}\n  read as: {reading}\n")
}

/// All that a decision says, how strict the suite is, and the requirements that it affects.
fn explain_decision(decision: &Decision, ledger: &Ledger, coverage: &Coverage<'_>) -> String {
    let Decision { id, places, kind, severity, cause, suite, why, requirements, .. } = decision;
    let mut text = format!("{id}  decision: {kind}, {severity}, {cause}\n");
    for place in places {
        wrap(&mut text, &format!("where: {}", place.in_words()));
    }
    let sentences = [
        ("unclear", Some(&decision.unclear)),
        ("read as", Some(&decision.reading)),
        ("otherwise", decision.otherwise.as_ref()),
        ("leads to", Some(&decision.leads_to)),
        ("blocks", decision.blocks.as_ref()),
        ("should say", decision.should_say.as_ref()),
    ];
    for (name, sentence) in sentences {
        if let Some(sentence) = sentence {
            wrap(&mut text, &format!("{name}: {sentence}"));
            text.push('\n');
        }
    }
    wrap(&mut text, &suite.to_string());
    if let Some(why) = why {
        wrap(&mut text, &format!("no scenario tests the reading: {why}"));
    }
    if requirements.is_empty() {
        return text;
    }
    text.push_str(&format!("\n  it bears on {}:\n", counted(requirements.len(), "requirement")));
    for id in requirements {
        let Some(row) = ledger.row(id) else { continue };
        let cases = coverage.cases(id).len();
        text.push_str(&format!(
            "    {id}  {}, {}: {}\n",
            row.level,
            row.profile,
            counted(cases, "case")
        ));
    }
    let cited = requirements.iter().find(|id| !coverage.cases(id).is_empty());
    if let Some(id) = cited {
        text.push_str(&format!("    run: cells-conformance run --tag req:{id}\n"));
    }
    text
}

#[derive(Clone, Copy, Debug)]
enum Entry<'a> {
    Requirement(&'a Requirement),
    /// How the suite reads a place where the documents are silent or contradict themselves.
    Decision(&'a Decision),
}

impl Entry<'_> {
    fn id(&self) -> &str {
        match self {
            Self::Requirement(row) => row.id.as_str(),
            Self::Decision(decision) => &decision.id,
        }
    }
}

/// The entry with this id, in upper or lower case, with or without the dash.
/// The error names ids that are typed nearly like it, or the areas of ids.
fn find<'a>(
    typed: &str,
    ledger: &'a Ledger,
    decisions: &'a Decisions,
) -> Result<Entry<'a>, String> {
    let all = || {
        let rows = ledger.rows().map(Entry::Requirement);
        rows.chain(decisions.all().iter().map(Entry::Decision))
    };
    let wanted = normalized(typed);
    if let Some(found) = all().find(|entry| normalized(entry.id()) == wanted) {
        return Ok(found);
    }
    let mut near: Vec<_> = all()
        .map(|entry| (strsim::levenshtein(&wanted, &normalized(entry.id())), entry))
        .filter(|(distance, _)| *distance <= 2)
        .collect();
    near.sort_by_key(|(distance, entry)| (*distance, entry.id().to_owned()));
    let near: Vec<_> = near.iter().take(SUGGESTED).map(|(_, entry)| entry.id()).collect();
    Err(if near.is_empty() {
        let areas: BTreeSet<_> =
            ledger.rows().filter_map(|row| row.id.as_str().split('-').next()).collect();
        let areas: Vec<_> = areas.into_iter().collect();
        format!(
            "no requirement or decision {typed}; ids of requirements look like BF-03, with one of \
             the areas {}; ids of decisions look like A-30",
            areas.join(", ")
        )
    } else {
        format!("no requirement or decision {typed}; similar ids: {}", near.join(", "))
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

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use super::*;

    fn explained(id: &str) -> String {
        static CATALOG: LazyLock<Catalog> = LazyLock::new(Catalog::embedded);
        static COVERAGE: LazyLock<Coverage<'static>> = LazyLock::new(|| Coverage::of(&CATALOG));
        let row = Ledger::embedded().row(&id.parse().unwrap()).unwrap();
        explain(row, COVERAGE.cases(&row.id))
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

    #[test]
    fn every_decision_is_explained_with_all_that_it_says() {
        let (catalog, ledger) = (Catalog::embedded(), Ledger::embedded());
        let coverage = Coverage::of(&catalog);
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        for decision in Decisions::embedded().all() {
            let text = explain_decision(decision, ledger, &coverage);
            assert!(text.starts_with(&decision.id));
            for part in decision.sentences() {
                assert!(words(&text).contains(&words(part)), "{part}\n{text}");
            }
            for id in &decision.requirements {
                assert!(text.contains(id.as_str()), "{id}\n{text}");
            }
            assert!(!text.lines().any(|line| line.chars().count() > 102), "{text}");
        }
    }

    fn found(typed: &str) -> Result<&'static str, String> {
        find(typed, Ledger::embedded(), Decisions::embedded()).map(|entry| match entry {
            Entry::Requirement(row) => row.id.as_str(),
            Entry::Decision(decision) => decision.id.as_str(),
        })
    }

    #[test]
    fn an_id_is_found_in_any_case_and_with_or_without_its_dash() {
        for typed in ["BF-03", "bf-03", "BF03", "bf-3", "bf_3", " BF-03 "] {
            assert_eq!(found(typed), Ok("BF-03"), "{typed}");
        }
        for typed in ["A-30", "a30", "a-30"] {
            assert_eq!(found(typed), Ok("A-30"), "{typed}");
        }
    }

    #[test]
    fn no_decision_has_the_id_of_a_requirement() {
        let ids: BTreeSet<_> =
            Ledger::embedded().rows().map(|row| normalized(row.id.as_str())).collect();
        for decision in Decisions::embedded().all() {
            assert!(!ids.contains(&normalized(&decision.id)), "{}", decision.id);
        }
    }
}
