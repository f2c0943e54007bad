//! What readers see of the sample reports, in every form, as snapshots: a test fails where a form
//! says something else. `INSTA_UPDATE=always cargo test -p conformance-suite --lib report::tests`
//! takes a change over.

use cell_fleet::Protocol;
use insta::Settings;

use super::compare::{Changes, Matrix};
use super::{
    Screen, Styles, describe, draft, json_lines, junit, markdown, matrix, sample, summary,
};
use crate::engine::Conclusion;
use crate::engine::record::RunRecord;
use crate::ledger::Ledger;
use crate::verdict::OutcomeWord;

/// Compares a text with the snapshot of this name.
#[track_caller]
pub(super) fn shows(name: &str, text: &str) {
    let mut settings = Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

/// Markup with an element a line.
fn elements(markup: &str) -> String {
    markup.replace("><", ">\n<")
}

fn screen(width: usize) -> Screen {
    Screen { width: Some(width), ..Screen::default() }
}

/// The report after a change of the router for the worse.
fn worse() -> RunRecord {
    let mut worse = sample::report();
    worse.suite.features_digest = "00".repeat(32);
    worse.scenarios[0].outcome.word = OutcomeWord::Failed;
    worse.scenarios[1].outcome.word = OutcomeWord::Passed;
    worse.scenarios[2].findings[0].requirement = "RT-08".parse().unwrap();
    worse.scenarios[5].outcome.word = OutcomeWord::NotRun;
    worse.scenarios[6].name = "journeys::sample::renamed[buffering]".to_owned();
    worse
}

#[test]
fn a_terminal_has_the_summary() {
    for width in [60, 160] {
        let text = summary(&sample::traced(), &screen(width), false);
        shows(&format!("terminal_{width}"), &text);
    }
}

#[test]
fn a_terminal_has_the_summary_of_an_exploration() {
    for width in [40, 160] {
        let text = summary(&sample::exploration(), &screen(width), false);
        shows(&format!("terminal_exploration_{width}"), &text);
    }
}

#[test]
fn markdown_has_the_summary() {
    shows("markdown", &markdown::render(&sample::traced()));
    shows("markdown_exploration", &markdown::render(&sample::exploration()));
}

#[test]
fn junit_has_every_scenario() {
    shows("junit", &junit::render(&sample::traced()));
    shows("junit_exploration", &junit::render(&sample::exploration()));
    let mut nothing = sample::exploration();
    nothing.scenarios.clear();
    nothing.exploration.iter_mut().for_each(|one| one.found.clear());
    nothing.conclusion = Conclusion::NoFailure;
    shows("junit_exploration_without_a_failure", &junit::render(&nothing));
}

#[test]
fn json_lines_have_every_scenario_and_the_conclusion() {
    let report = sample::report();
    let lines = report.scenarios.iter().map(json_lines::left_out);
    let lines: Vec<_> = lines.chain([json_lines::conclusion(&report)]).collect();
    shows("json_lines", &lines.join("\n"));
}

#[test]
fn a_draft_of_known_failures_names_each_cause() {
    shows("known_failures", &draft::text(&sample::report(), &[], &Default::default()));
}

#[test]
fn badges_have_the_verdicts() {
    let report = sample::report();
    let badges = [markdown::badge(&report), markdown::endpoint(&report)];
    shows("badges", &elements(&badges.concat()));
}

#[test]
fn a_comparison_has_requirements_and_changes() {
    let reports = [("a.json".to_owned(), sample::report()), ("b.json".to_owned(), worse())];
    let matrix = Matrix::of(&reports, Ledger::embedded());
    let tables = [matrix.text(None), matrix.text(Some(40)), matrix.markdown()];
    shows("compare_requirements", &tables.join("\n"));
    let changes = Changes::between(&reports[0].1, &reports[1].1).text(&Styles::COLOURED);
    shows("compare_changes", &changes.replace('\u{1b}', "\\e"));
}

#[test]
fn a_matrix_has_a_column_for_each_router() {
    let mut other = sample::report();
    other.router.name = "Gateway <b>".to_owned();
    other.router.protocols = vec![Protocol::Learning];
    other.scenarios.retain(|one| one.outcome.word == OutcomeWord::Passed);
    let reports = [("a".to_owned(), sample::report()), ("b".to_owned(), other)];
    let files = matrix::pages(&reports, Ledger::embedded(), Some("../spec"));
    let (_, index) = &files[0];
    let main = &index[index.find("<main>").unwrap()..];
    shows("matrix", &elements(main));
}

/// Names, texts of scenarios and commands are copied, so they stay whole.
#[test]
fn no_line_is_wider_than_the_screen_but_what_is_copied() {
    for (report, width) in [(sample::report(), 60), (sample::exploration(), 40)] {
        let text = summary(&report, &screen(width), false);
        let is_copied = |line: &str| line.starts_with("FAILED") || line.starts_with("    ");
        let is_wide = |line: &&str| line.chars().count() > width && !is_copied(line);
        assert_eq!(text.lines().find(is_wide), None, "{text}");
    }
}

#[test]
fn a_hostile_report_gives_a_terminal_no_control_character() {
    let (report, hostile) = (sample::report(), sample::hostile());
    let matrix = Matrix::of(&[("a.json".to_owned(), hostile.clone())], Ledger::embedded());
    let changes = [(&report, &hostile), (&hostile, &report)];
    let changes = changes.map(|(one, other)| Changes::between(one, other));
    let mut texts: Vec<_> = changes.iter().map(|one| one.text(&Styles::default())).collect();
    for width in [None, Some(60), Some(160)] {
        let screen = Screen { width, ..Screen::default() };
        let described = hostile.scenarios.iter().map(|one| describe(&hostile, one, &screen));
        texts.extend(described.chain([summary(&hostile, &screen, true), matrix.text(width)]));
    }
    let is_control = |c: &char| c.is_control() && *c != '\n';
    for text in texts {
        assert_eq!(text.chars().find(is_control), None, "{text:?}");
    }
}
