//! The summary in Markdown, for the page of a repository or of a CI job.

mod badge;
mod text;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::facts::{Fact, facts};
use super::failure::{describe, exchange_of};
use super::journeys::{not_judged, pairs_line, pairs_table};
use super::notes::notes;
use super::outcomes::{Counts, Look, OUTCOMES};
use super::screen::Screen;
use super::text::{identity, with_outcome};
use crate::engine::record::{CaseRecord, ExplorationRecord, RequirementRecord, RunRecord};
use crate::ledger::RequirementId;
use crate::verdict::{Finding, OutcomeWord};
pub(super) use badge::{badge, endpoint};
use text::{block, code, code_cell, link};
pub(super) use text::{prose, table};

/// Width of a description, to avoid scrolling on a page.
const WIDTH: usize = 120;
/// Bytes after which no scenario is described; the page of a CI job may have 1 MiB.
const ROOM: usize = 600_000;
/// Scenarios that are named for each violated requirement.
const NAMED: usize = 5;
/// Scenarios of a list with one line each.
const LISTED: usize = 50;

pub(super) fn render(report: &RunRecord) -> String {
    let name = prose(&identity(&report.router));
    let mut text = match &report.exploration {
        None => format!("# Conformance of {name} to routing for GitLab Cells\n\n"),
        Some(_) => format!("# Exploration of {name}\n\n"),
    };
    let _ = writeln!(text, "**{}**\n", prose(&report.conclusion.to_string()));
    for note in notes(report) {
        let _ = writeln!(text, "{}\n", prose(&note));
    }
    if report.exploration.is_none() {
        profiles(&mut text, report);
    }
    if !report.complaints.is_empty() {
        text.push_str("## Outside the scenarios\n\n");
        report
            .complaints
            .iter()
            .for_each(|complaint| text.push_str(&format!("- {}\n", prose(complaint))));
        text.push('\n');
    }
    violations(&mut text, report, OutcomeWord::Failed, "Failures");
    violations(&mut text, report, OutcomeWord::Warned, "Warnings");
    known(&mut text, report);
    reasons(&mut text, report, OutcomeWord::NotAsked, "Not asked");
    reasons(&mut text, report, OutcomeWord::CouldNotRun, "Could not run");
    reasons(&mut text, report, OutcomeWord::SuiteError, "Errors of the suite");
    match &report.exploration {
        Some(exploration) => explored(&mut text, exploration),
        None => outcomes(&mut text, report),
    }
    if let Some(beside) = &report.explored {
        explored(&mut text, &beside.exploration);
    }
    about(&mut text, report);
    text
}

/// What could not be judged in an exploration, and the pairs that it met.
fn explored(text: &mut String, exploration: &ExplorationRecord) {
    if !exploration.not_judged.is_empty() {
        let _ = writeln!(text, "## Not judged\n");
        for (which, reason) in exploration.not_judged.iter().map(not_judged) {
            let _ = writeln!(text, "- {which}{}", prose(reason));
        }
        text.push('\n');
    }
    let pairs = &exploration.pairs;
    let mut rows = pairs_table(pairs);
    rows.iter_mut().flatten().for_each(|cell| *cell = prose(cell));
    let head = rows.remove(0);
    let head: Vec<_> = head.iter().map(String::as_str).collect();
    let _ = writeln!(text, "## What was met\n\n{}\n", prose(&pairs_line(pairs)));
    text.push_str(&table(&head, &rows));
}

fn profiles(text: &mut String, report: &RunRecord) {
    let rows = report.profiles.iter().map(|profile| {
        let counts = Counts(profile.outcomes.clone());
        counted_row(profile.profile.to_string(), profile.verdict.to_string(), &counts)
    });
    text.push_str(&table(&with_outcomes(["profile", "verdict"]), &rows.collect::<Vec<_>>()));
}

/// The head of a table of outcomes, behind these columns.
fn with_outcomes(first: [&'static str; 2]) -> Vec<&'static str> {
    first.into_iter().chain(OUTCOMES.iter().map(|look| look.word.as_str())).collect()
}

/// A row of such a table; zero is left blank, so that the others stand out.
fn counted_row(first: String, second: String, counts: &Counts) -> Vec<String> {
    let count = |look: &Look| match counts.with(look.word) {
        0 => String::new(),
        count => count.to_string(),
    };
    [first, second].into_iter().chain(OUTCOMES.iter().map(count)).collect()
}

/// The violated requirements of the scenarios with this outcome, each with its scenarios, one of
/// which is described.
fn violations(text: &mut String, report: &RunRecord, word: OutcomeWord, title: &str) {
    let mut by_requirement: BTreeMap<&RequirementId, Vec<(&CaseRecord, &Finding)>> =
        BTreeMap::new();
    for scenario in with_outcome(report, word) {
        for finding in &scenario.findings {
            let of_requirement = by_requirement.entry(&finding.requirement).or_default();
            // The first finding of a scenario is enough.
            if of_requirement.last().is_none_or(|(last, _)| last.name != scenario.name) {
                of_requirement.push((scenario, finding));
            }
        }
    }
    if !by_requirement.is_empty() {
        let _ = writeln!(text, "## {title}\n");
    }
    let mut described = BTreeSet::new();
    let screen = Screen { width: Some(WIDTH), ..Screen::default() };
    for (id, violations) in by_requirement {
        let level = violations[0].1.level;
        match report.requirements.get(id) {
            Some(row) => {
                let RequirementRecord { profile, documents, section, statement, .. } = row;
                let source = [documents.join(", "), section.clone()];
                let source: Vec<_> = source.into_iter().filter(|part| !part.is_empty()).collect();
                let statement = prose(statement);
                let source = prose(&source.join(": "));
                let _ = writeln!(text, "### {id} ({level}, {profile})\n\n{statement}");
                let _ = writeln!(text, "*{source}*\n");
            }
            None => drop(writeln!(text, "### {id} ({level})\n")),
        }
        for (scenario, finding) in violations.iter().take(NAMED) {
            let _ = writeln!(text, "- {}: {}", code(&scenario.name), prose(&finding.message));
        }
        if violations.len() > NAMED {
            let _ = writeln!(text, "- and {} more", violations.len() - NAMED);
        }
        text.push('\n');
        // Two exchanges side by side show more than a message.
        let mut named = violations.iter().take(NAMED);
        let drawn = named.find(|(scenario, finding)| exchange_of(scenario, finding).is_some());
        let example = drawn.or(violations.first()).filter(|_| text.len() < ROOM);
        if let Some((scenario, _)) = example.filter(|(one, _)| described.insert(&one.name)) {
            text.push_str(&block("text", &describe(report, scenario, &screen)));
            text.push('\n');
        }
    }
}

fn known(text: &mut String, report: &RunRecord) {
    let rows: Vec<_> = with_outcome(report, OutcomeWord::KnownFailure)
        .map(|scenario| {
            let ids: Vec<_> =
                scenario.findings.iter().map(|finding| finding.requirement.as_str()).collect();
            let outcome = &scenario.outcome;
            vec![
                code_cell(&scenario.name),
                prose(&ids.join(" ")),
                prose(outcome.reason()),
                outcome.link.as_ref().map_or_else(String::new, |target| link(target, target)),
            ]
        })
        .collect();
    if !rows.is_empty() {
        let _ = writeln!(text, "## Known failures\n");
        text.push_str(&table(&["scenario", "violates", "reason", "more"], &rows));
    }
}

fn reasons(text: &mut String, report: &RunRecord, word: OutcomeWord, title: &str) {
    let of_word: Vec<_> = with_outcome(report, word).collect();
    if of_word.is_empty() {
        return;
    }
    let _ = writeln!(text, "## {title}\n");
    for scenario in of_word.iter().take(LISTED) {
        let reason = prose(scenario.outcome.reason());
        let _ = writeln!(text, "- {}: {reason}", code(&scenario.name));
    }
    if of_word.len() > LISTED {
        let _ = writeln!(text, "- and {} more", of_word.len() - LISTED);
    }
    text.push('\n');
}

fn outcomes(text: &mut String, report: &RunRecord) {
    let rows: Vec<_> = Counts::by_feature(&report.scenarios)
        .iter()
        .map(|((file, feature), counts)| counted_row(prose(feature), code_cell(file), counts))
        .collect();
    let _ = writeln!(text, "## Outcomes by feature\n");
    text.push_str(&table(&with_outcomes(["feature", "file"]), &rows));
}

fn about(text: &mut String, report: &RunRecord) {
    let row = |Fact { name, value, is_code, .. }: Fact| {
        let value = if is_code { code_cell(&value) } else { link(&value, &value) };
        vec![name.to_owned(), value]
    };
    let rows: Vec<_> = facts(report).into_iter().map(row).collect();
    let _ = writeln!(text, "## How it was run\n");
    text.push_str(table(&["", ""], &rows).trim_end_matches('\n'));
    text.push('\n');
}

#[cfg(test)]
mod tests;
