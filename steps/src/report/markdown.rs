//! The summary in Markdown, for the page of a repository or of a CI job.

mod badge;
mod text;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::journeys::{count as journeys, of_found, pairs_line, scenario_text};
use super::notes::notes;
use super::rerun::{replay_words, rerun, rerun_all};
use super::text::{drawn, identity, of_outcome, seconds};
use crate::engine::counted;
use crate::engine::record::{CaseRecord, ExchangeRecord, ExplorationRecord, RunRecord};
use crate::verdict::OutcomeWord;
pub(super) use badge::{badge, endpoint};
use text::{block, code, code_cell, link};
pub(super) use text::{prose, table};

/// Width of the two exchanges together, to avoid scrolling on a page.
const WIDTH: usize = 120;
/// Scenarios that are named for each violated requirement; the page of a CI job has a size limit.
const NAMED: usize = 5;
/// Scenarios of a list with one line each.
const LISTED: usize = 50;

/// The columns of a table of outcomes.
const OUTCOMES: [OutcomeWord; 9] = [
    OutcomeWord::Passed,
    OutcomeWord::Warned,
    OutcomeWord::Failed,
    OutcomeWord::KnownFailure,
    OutcomeWord::NotApplicable,
    OutcomeWord::NotAsked,
    OutcomeWord::CouldNotRun,
    OutcomeWord::NotRun,
    OutcomeWord::SuiteError,
];

/// Plain text as a block of Markdown.
pub fn block_of(text: &str) -> String {
    block("text", text)
}

/// Renders the report as Markdown.
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
        for some in &exploration.not_judged {
            let (outcome, journeys) = (&some.outcome, journeys(some.journeys, "journey"));
            let _ = writeln!(text, "- {outcome}, {journeys}: {}", prose(&some.reason));
        }
        text.push('\n');
    }
    let pairs = &exploration.pairs;
    let head: Vec<_> =
        std::iter::once("").chain(pairs.states.iter().map(|state| state.as_str())).collect();
    let shown = |met: &u64| if *met == 0 { String::new() } else { met.to_string() };
    let rows = pairs.kinds.iter().map(|row| {
        std::iter::once(prose(row.kind.as_str())).chain(row.met.iter().map(shown)).collect()
    });
    let _ = writeln!(text, "## What was met\n\n{}\n", prose(&pairs_line(pairs)));
    text.push_str(&table(&head, &rows.collect::<Vec<_>>()));
}

fn profiles(text: &mut String, report: &RunRecord) {
    let rows = report.profiles.iter().map(|profile| {
        counted_row(prose(&profile.profile), prose(&profile.verdict), &profile.outcomes)
    });
    text.push_str(&table(&with_outcomes(["profile", "verdict"]), &rows.collect::<Vec<_>>()));
}

/// The head of a table of outcomes, behind these columns.
fn with_outcomes(first: [&'static str; 2]) -> Vec<&'static str> {
    first.into_iter().chain(OUTCOMES.map(OutcomeWord::as_str)).collect()
}

/// A row of such a table; zero is left blank, so that the others stand out.
fn counted_row(
    first: String,
    second: String,
    counts: &BTreeMap<OutcomeWord, usize>,
) -> Vec<String> {
    let count = |word: &OutcomeWord| match counts.get(word) {
        None | Some(0) => String::new(),
        Some(count) => count.to_string(),
    };
    [first, second].into_iter().chain(OUTCOMES.iter().map(count)).collect()
}

/// The violated requirements of the scenarios with this outcome, each with its scenarios.
fn violations(text: &mut String, report: &RunRecord, word: OutcomeWord, title: &str) {
    let mut by_requirement: BTreeMap<&str, Vec<(&CaseRecord, usize)>> = BTreeMap::new();
    for scenario in of_outcome(report, word) {
        for (index, finding) in scenario.findings.iter().enumerate() {
            let of_requirement = by_requirement.entry(&finding.requirement).or_default();
            // The first finding of a scenario is enough.
            if of_requirement.last().is_none_or(|(last, _)| last.name != scenario.name) {
                of_requirement.push((scenario, index));
            }
        }
    }
    if by_requirement.is_empty() {
        return;
    }
    let _ = writeln!(text, "## {title}\n");
    for (id, violations) in by_requirement {
        let level =
            violations.first().map_or("", |(scenario, index)| &scenario.findings[*index].level);
        match report.requirements.get(id) {
            Some(row) => {
                let source = [row.documents.join(", "), row.section.clone()]
                    .into_iter()
                    .filter(|part| !part.is_empty());
                let source = source.collect::<Vec<_>>().join(": ");
                let _ = writeln!(
                    text,
                    "### {} ({}, {})\n\n{}",
                    prose(id),
                    prose(level),
                    prose(&row.profile),
                    prose(&row.statement)
                );
                let _ = writeln!(text, "*{}*\n", prose(&source));
            }
            None => drop(writeln!(text, "### {} ({})\n", prose(id), prose(level))),
        }
        for (scenario, index) in violations.iter().take(NAMED) {
            let _ = writeln!(
                text,
                "- {}: {}",
                code(&scenario.name),
                prose(&scenario.findings[*index].message)
            );
        }
        if violations.len() > NAMED {
            let _ = writeln!(text, "- and {} more", violations.len() - NAMED);
        }
        text.push('\n');
        // Two exchanges side by side show more than a message.
        let is_drawn = |(scenario, index): &&(&CaseRecord, usize)| {
            drawn_by(scenario, scenario.findings[*index].step_index).is_some()
        };
        if let Some((scenario, index)) =
            violations.iter().take(NAMED).find(is_drawn).or(violations.first())
        {
            evidence(text, report, scenario, scenario.findings[*index].step_index);
        }
    }
}

/// The expected and the observed exchange of a scenario, and how to rerun it.
fn evidence(text: &mut String, report: &RunRecord, scenario: &CaseRecord, step: Option<usize>) {
    if let Some(exchange) = drawn_by(scenario, step) {
        text.push_str(&block("text", &drawn(exchange, WIDTH)));
        text.push('\n');
    }
    if let Some(found) = report.found_as(&scenario.name) {
        text.push_str(&block("gherkin", scenario_text(report, scenario).unwrap_or_default()));
        let _ = writeln!(text, "\n{}\n", prose(&of_found(found)));
        let _ = writeln!(text, "Replay: {}\n", code(&replay_words(report, scenario).join(" ")));
    }
    let _ = writeln!(text, "Rerun: {}\n", code(&rerun(report, scenario)));
}

/// The exchange that a step draws.
fn drawn_by(scenario: &CaseRecord, step: Option<usize>) -> Option<&ExchangeRecord> {
    scenario
        .exchanges
        .iter()
        .find(|exchange| exchange.step_index == step && !exchange.expected.is_empty())
}

fn known(text: &mut String, report: &RunRecord) {
    let rows: Vec<_> = of_outcome(report, OutcomeWord::KnownFailure)
        .map(|scenario| {
            let ids: Vec<_> =
                scenario.findings.iter().map(|finding| finding.requirement.as_str()).collect();
            let outcome = &scenario.outcome;
            let reason = outcome.reason.as_deref().unwrap_or_default();
            vec![
                code_cell(&scenario.name),
                prose(&ids.join(" ")),
                prose(reason),
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
    let of_word: Vec<_> = of_outcome(report, word).collect();
    if of_word.is_empty() {
        return;
    }
    let _ = writeln!(text, "## {title}\n");
    for scenario in of_word.iter().take(LISTED) {
        let _ = writeln!(
            text,
            "- {}: {}",
            code(&scenario.name),
            prose(scenario.outcome.reason.as_deref().unwrap_or_default())
        );
    }
    if of_word.len() > LISTED {
        let _ = writeln!(text, "- and {} more", of_word.len() - LISTED);
    }
    text.push('\n');
}

/// Outcomes by feature, and by the document section of the main requirement of a scenario.
fn outcomes(text: &mut String, report: &RunRecord) {
    let mut sections: BTreeMap<(String, String), BTreeMap<OutcomeWord, usize>> = BTreeMap::new();
    let mut features: BTreeMap<(&str, &str), BTreeMap<OutcomeWord, usize>> = BTreeMap::new();
    for scenario in &report.scenarios {
        let row = scenario.requirements.first().and_then(|id| report.requirements.get(id));
        let place = row
            .map_or_else(Default::default, |row| (row.documents.join(", "), row.section.clone()));
        *sections.entry(place).or_default().entry(scenario.outcome.word).or_default() += 1;
        let feature = features.entry((&scenario.file, &scenario.feature)).or_default();
        *feature.entry(scenario.outcome.word).or_default() += 1;
    }
    let document =
        |documents: &str| prose(if documents.is_empty() { "(derived)" } else { documents });
    let sections: Vec<_> = sections
        .iter()
        .map(|((documents, section), counts)| {
            counted_row(document(documents), prose(section), counts)
        })
        .collect();
    let features: Vec<_> = features
        .iter()
        .map(|((file, feature), counts)| counted_row(prose(feature), code_cell(file), counts))
        .collect();
    let _ = writeln!(text, "## Outcomes by feature\n");
    text.push_str(&table(&with_outcomes(["feature", "file"]), &features));
    let _ = writeln!(text, "<details>\n<summary>Outcomes by section of the documents</summary>\n");
    text.push_str(&table(&with_outcomes(["document", "section"]), &sections));
    text.push_str("</details>\n\n");
}

fn about(text: &mut String, report: &RunRecord) {
    let (router, suite, run) = (&report.router, &report.suite, &report.run);
    let or_nothing = |words: &[String]| {
        if words.is_empty() { "nothing".to_owned() } else { prose(&words.join(", ")) }
    };
    let claims = format!(
        "protocols: {}; capabilities: {}",
        or_nothing(&router.protocols),
        or_nothing(&router.capabilities)
    );
    let selection = if report.exploration.is_some() {
        "journeys that nobody wrote, judged by a model of the documents".to_owned()
    } else if run.selection.is_empty() {
        "all scenarios".to_owned()
    } else {
        code_cell(&run.selection.join(" "))
    };
    let command = if router.command.is_empty() {
        "not started by the suite: it was already running".to_owned()
    } else {
        code_cell(&router.command.join(" "))
    };
    let address = |address: &Option<String>| address.as_ref().map(|address| link(address, address));
    let rows = [
        ("router", Some(prose(&identity(router)))),
        ("page", address(&router.url)),
        ("contact", router.contact.as_deref().map(prose)),
        ("command", Some(command)),
        ("claims", Some(claims)),
        (
            "suite",
            Some(format!(
                "{}, features {}, ledger {}",
                prose(&suite.version),
                short(&suite.features_digest),
                short(&suite.ledger_digest)
            )),
        ),
        ("selection", Some(selection)),
        (
            "run",
            Some(format!(
                "{} for {} s, {}, {}",
                prose(&run.began),
                seconds(run.took_ms),
                counted(run.jobs, "parallel job"),
                prose(&run.platform)
            )),
        ),
        ("seed", Some(run.seed.to_string())),
        ("rerun", Some(code_cell(&rerun_all(report)))),
    ];
    let rows: Vec<_> =
        rows.into_iter().filter_map(|(what, value)| Some(vec![what.to_owned(), value?])).collect();
    let _ = writeln!(text, "## How it was run\n");
    text.push_str(table(&["", ""], &rows).trim_end_matches('\n'));
    text.push('\n');
}

/// The beginning of a digest.
fn short(digest: &str) -> String {
    code_cell(&digest.chars().take(12).collect::<String>())
}

#[cfg(test)]
mod tests;
