//! The report as JUnit XML for CI systems, with a test suite for each feature file.
//!
//! A violated MUST is a `failure`. What prevents a verdict is an `error`. What was not asked of the
//! router is `skipped`. What is wrong outside the scenarios is a test case too: a reader of only
//! these counts must not see green where the program ended with another exit code.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use quick_junit::{NonSuccessKind, Property, TestCase, TestCaseStatus, TestSuite};

use super::facts::{Fact, facts};
use super::failure::describe;
use super::journeys::{headline, not_judged};
use super::notes::{incomplete, stalled};
use super::screen::Screen;
use super::text::{identity, without_hidden};
use crate::catalog::shown_file;
use crate::engine::Conclusion;
use crate::engine::record::{CaseRecord, RunRecord};
use crate::verdict::OutcomeWord;

/// Name of the suite that holds what is wrong outside the scenarios.
const OUTSIDE: &str = "outside the scenarios";
/// Name of the suite and the class of an exploration that found nothing.
const EXPLORATION: &str = "exploration";

pub(super) fn render(report: &RunRecord) -> String {
    let name = format!("cells-conformance: {}", identity(&report.router));
    let mut xml = quick_junit::Report::new(printable(&name));
    xml.timestamp = report.run.began.parse().ok();
    xml.set_time(Duration::from_millis(report.run.took_ms));
    for (file, scenarios) in by_file(&report.scenarios) {
        let took_ms = scenarios.iter().map(|scenario| scenario.took_ms).sum();
        let mut suite = test_suite(report, file, took_ms);
        suite.add_test_cases(scenarios.iter().map(|scenario| test_case(report, scenario)));
        xml.add_test_suite(suite);
    }
    // A CI system shows nothing of a report without a test case.
    if let Some(exploration) = report.explored().filter(|one| one.found.is_empty()) {
        let mut suite = test_suite(report, EXPLORATION, report.run.took_ms);
        let mut case =
            TestCase::new(printable(&headline(exploration, true)), TestCaseStatus::success());
        case.set_classname(EXPLORATION);
        case.set_time(Duration::from_millis(report.run.took_ms));
        suite.add_test_case(case);
        xml.add_test_suite(suite);
    }
    let problems = outside_the_scenarios(report);
    if !problems.is_empty() {
        let mut suite = test_suite(report, OUTSIDE, 0);
        for (number, (word, why)) in problems.iter().enumerate() {
            let kind = if *word == OutcomeWord::Failed {
                NonSuccessKind::Failure
            } else {
                NonSuccessKind::Error
            };
            let status = non_success(kind, why, word.as_str(), why);
            let mut case = TestCase::new(format!("complaint {}", number + 1), status);
            case.set_classname(OUTSIDE);
            case.set_time(Duration::ZERO);
            suite.add_test_case(case);
        }
        xml.add_test_suite(suite);
    }
    match xml.to_string() {
        Ok(text) => text,
        Err(error) => unreachable!("writing XML to memory failed: {error}"),
    }
}

/// The scenarios of each feature file, in the order of the report.
fn by_file(scenarios: &[CaseRecord]) -> Vec<(&str, Vec<&CaseRecord>)> {
    let mut indices = BTreeMap::new();
    let mut files: Vec<(&str, Vec<&CaseRecord>)> = Vec::new();
    for scenario in scenarios {
        let index = *indices.entry(scenario.file.as_str()).or_insert(files.len());
        match files.get_mut(index) {
            Some((_, of_file)) => of_file.push(scenario),
            None => files.push((&scenario.file, vec![scenario])),
        }
    }
    files
}

/// What is wrong outside the scenarios, each with the word for its outcome: complaints, and a
/// conclusion that no test case accounts for.
fn outside_the_scenarios(report: &RunRecord) -> Vec<(OutcomeWord, String)> {
    let word = if report.conclusion == Conclusion::SuiteFault {
        OutcomeWord::SuiteError
    } else {
        OutcomeWord::Failed
    };
    let mut problems: Vec<_> =
        report.complaints.iter().map(|complaint| (word, complaint.clone())).collect();
    // A CI system must not show an early end in green.
    problems.extend(incomplete(report).map(|why| (OutcomeWord::CouldNotRun, why)));
    let unjudged = report.explored().into_iter().flat_map(|one| &one.not_judged);
    problems.extend(unjudged.filter_map(|some| {
        let (which, reason) = not_judged(some);
        let why = format!("{which}{reason}");
        match some.outcome {
            OutcomeWord::NotApplicable => None,
            OutcomeWord::CouldNotRun => Some((OutcomeWord::CouldNotRun, why)),
            _ => Some((OutcomeWord::SuiteError, why)),
        }
    }));
    let accounts = |scenario: &CaseRecord| {
        matches!(
            scenario.outcome.word,
            OutcomeWord::Failed | OutcomeWord::CouldNotRun | OutcomeWord::SuiteError
        )
    };
    if problems.is_empty() && !report.conclusion.is_good() && !report.scenarios.iter().any(accounts)
    {
        problems.push((
            OutcomeWord::CouldNotRun,
            format!("the run is {}, and no scenario that ran explains it", report.conclusion),
        ));
    }
    problems
}

/// A test suite without test cases, which says what was tested and how.
fn test_suite(report: &RunRecord, name: &str, took_ms: u64) -> TestSuite {
    let mut suite = TestSuite::new(printable(name));
    suite.timestamp = report.run.began.parse().ok();
    suite.set_time(Duration::from_millis(took_ms));
    let facts = facts(report).into_iter().map(|Fact { name, value, .. }| (name, value));
    let all = [
        ("router", identity(&report.router)),
        ("conclusion", report.conclusion.to_string()),
        ("excluded", report.run.excluded.join(" ")),
        ("stalls", stalled(report).unwrap_or_default()),
    ];
    let known = all.into_iter().chain(facts).filter(|(_, value)| !value.is_empty());
    suite.add_properties(known.map(|(name, value)| Property::new(name, printable(&value))));
    suite
}

fn test_case(report: &RunRecord, scenario: &CaseRecord) -> TestCase {
    let (class, name) = names(scenario);
    let mut case = TestCase::new(printable(name), status(report, scenario));
    case.set_classname(printable(&class));
    case.set_time(Duration::from_millis(scenario.took_ms));
    case.extra.insert("file".into(), printable(&shown_file(&scenario.name, &scenario.file)).into());
    case.extra.insert("line".into(), scenario.line.to_string().into());
    let was_left_out = scenario.stalled.is_some() || !scenario.earlier.is_empty();
    let has_passed = scenario.outcome.word == OutcomeWord::Passed;
    if scenario.outcome.word == OutcomeWord::Warned || (has_passed && was_left_out) {
        case.set_system_out(printable(&described(report, scenario)));
    }
    if scenario.outcome.word != OutcomeWord::Passed {
        let logs = scenario.logs.iter().filter(|log| !log.end.is_empty());
        let logs: Vec<_> = logs
            .map(|log| format!("the end of the log of {}:\n{}", log.router, log.end.trim_end()))
            .collect();
        if !logs.is_empty() {
            case.set_system_err(printable(&logs.join("\n")));
        }
    }
    case
}

fn status(report: &RunRecord, scenario: &CaseRecord) -> TestCaseStatus {
    let outcome = &scenario.outcome;
    match outcome.word {
        OutcomeWord::Passed | OutcomeWord::Warned => TestCaseStatus::success(),
        OutcomeWord::Failed => {
            let first = scenario.findings.first();
            let message = first.map_or("a requirement is violated".to_owned(), |found| {
                format!("{}: {}", found.requirement, found.message)
            });
            let ids: BTreeSet<_> =
                scenario.findings.iter().map(|finding| finding.requirement.as_str()).collect();
            let ids = Vec::from_iter(ids).join(" ");
            non_success(NonSuccessKind::Failure, &message, &ids, &described(report, scenario))
        }
        OutcomeWord::KnownFailure
        | OutcomeWord::NotApplicable
        | OutcomeWord::NotAsked
        | OutcomeWord::NotRun => {
            let mut status = TestCaseStatus::skipped();
            status.set_message(printable(&outcome.to_string()));
            if outcome.word == OutcomeWord::KnownFailure {
                status.set_description(printable(&described(report, scenario)));
            }
            status
        }
        OutcomeWord::CouldNotRun | OutcomeWord::SuiteError => {
            let word = outcome.word.as_str();
            let described = described(report, scenario);
            non_success(NonSuccessKind::Error, outcome.reason(), word, &described)
        }
    }
}

/// A failure or an error; its message is the first line of `why`.
fn non_success(
    kind: NonSuccessKind,
    why: &str,
    of_type: &str,
    description: &str,
) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(kind);
    status.set_message(printable(why.lines().next().unwrap_or_default()));
    status.set_type(printable(of_type));
    status.set_description(printable(description));
    status
}

/// The feature's part of the stable name, as a class, and the scenario's part.
fn names(scenario: &CaseRecord) -> (String, &str) {
    let depth = scenario.file.split('/').count();
    match scenario.name.match_indices("::").nth(depth - 1) {
        Some((at, sign)) => {
            (scenario.name[..at].replace(sign, "."), &scenario.name[at + sign.len()..])
        }
        None => (scenario.feature.clone(), &scenario.name),
    }
}

/// The description of a scenario, on lines of its own.
fn described(report: &RunRecord, scenario: &CaseRecord) -> String {
    format!("\n{}", describe(report, scenario, &Screen::default()))
}

/// The text as XML 1.0 can hold it and quick-junit passes it on.
///
/// quick-junit drops control characters and terminal sequences without a trace, up to the end of
/// the text where a sequence is not terminated, so a router could hide its own failure. Each
/// control character and noncharacter becomes U+FFFD instead, and what a reader does not see an
/// escape. A line end is one line feed, and a tab is four spaces.
fn printable(text: &str) -> String {
    let is_none = |character: char| {
        character.is_control() && character != '\n' || matches!(character, '\u{fffe}' | '\u{ffff}')
    };
    let lines = text.replace("\r\n", "\n").replace('\t', "    ");
    without_hidden(&lines.replace(is_none, "\u{fffd}"))
}

#[cfg(test)]
mod tests;
