//! What readers see of the sample reports, in every form, as snapshots: a test fails where a form
//! says something else. `INSTA_UPDATE=always cargo test -p conformance-suite --lib report::tests`
//! takes a change over.

use cell_fleet::Protocol;
use insta::Settings;

use super::compare::{Changes, Matrix};
use super::notes::notes;
use super::outcomes::Counts;
use super::{
    Screen, Styles, describe, draft, exploration_header, header, json_lines, junit, markdown,
    matrix, sample, summary,
};
use crate::engine::Conclusion;
use crate::engine::record::{
    CaseRecord, EndedBy, ExploredBeside, FlakyRecord, IncompleteRecord, PartOfRun, ProfileVerdict,
    RunRecord, Shard,
};
use crate::ledger::{Ledger, Profile};
use crate::verdict::{OutcomeWord, Stalled};

/// Compares a text with the snapshot of this name.
#[track_caller]
pub(super) fn shows(name: &str, text: &str) {
    let mut settings = Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

/// Markup with an element a line.
pub(super) fn elements(markup: &str) -> String {
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

/// A report in which most lists are too long to be shown as a whole.
fn long() -> RunRecord {
    let mut report = sample::report();
    let [passed, _, failed, known, learning, no_port, _] = &report.scenarios[..] else {
        unreachable!()
    };
    let named = |case: &CaseRecord, name: String| CaseRecord { name, ..case.clone() };
    let other_feature = |number| CaseRecord { feature: format!("F{number}"), ..passed.clone() };
    let same = (0..6).map(|number| named(failed, format!("same::case_{number}")));
    let other = (10..60).map(|number| {
        let mut case = named(failed, format!("other::case_{number}"));
        case.findings[0].requirement = format!("XX-{number}").parse().unwrap();
        case
    });
    let listed = (0..45).map(|number| named(known, format!("listed::case_{number}")));
    let ended = [("router_eu", 1), ("router_us", 1), ("router_eu", 2)].map(|(router, status)| {
        let mut case = no_port.clone();
        let why = format!("{router} ended before it accepted a connection: exit status: {status}");
        case.outcome.reason = Some(format!("{why}\nits log: {router}"));
        case
    });
    let mut unclaimed = learning.clone();
    unclaimed.protocol = Protocol::Buffering;
    unclaimed.tags.push("capability:cookie-cache".to_owned());
    let skipped = [learning.clone(), learning.clone(), unclaimed];
    let passed = (0..20).map(other_feature);
    let all = same.chain(other).chain(listed).chain(ended).chain(skipped).chain(passed);
    report.scenarios = all.collect();
    report.profiles[0].outcomes = Counts::among(&report.scenarios).0;
    report
}

#[test]
fn a_terminal_has_the_summary() {
    let shown = |width, styles| {
        let text = summary(&sample::traced(), &Screen { width: Some(width), styles }, false);
        shows(&format!("terminal_{width}"), &text.replace('\u{1b}', "\\e"));
    };
    shown(60, Styles::default());
    shown(160, Styles::COLORED);
}

#[test]
fn a_terminal_has_the_beginning_of_what_is_long_and_all_names_on_demand() {
    for (name, names_all) in [("terminal_long", false), ("terminal_long_verbose", true)] {
        shows(name, &summary(&long(), &screen(100), names_all));
    }
}

#[test]
fn the_first_line_has_the_router_and_its_claims() {
    let mut router = sample::report().router;
    let mut lines = vec![header(&router, 1, 2), exploration_header(&router, &Protocol::ALL)];
    router.command.clear();
    router.running = vec!["eu".to_owned(), "us".to_owned()];
    router.protocols.clear();
    router.capabilities.clear();
    lines.push(header(&router, 20, 0));
    shows("header", &lines.join("\n"));
}

#[test]
fn notes_are_about_the_run_as_a_whole() {
    assert!(notes(&sample::report()).is_empty());
    let excluding = |count| (0..count).map(|one| format!("--exclude name_{one}")).collect();
    let stalled = |stall_ms| Stalled { stall_ms, bound_ms: 5_000, found: String::new() };
    let mut early = sample::report();
    early.run.selection = excluding(2);
    early.scenarios[0].earlier = vec![stalled(1_300)];
    let busy = &mut early.scenarios[5];
    (busy.earlier, busy.stalled) = (vec![stalled(1_400), stalled(1_500)], Some(stalled(2_100)));
    let (scenario, reason) = ("a*".to_owned(), "a race".to_owned());
    early.flaky = vec![FlakyRecord { scenario, reason, failed: 1, passed: 2 }];
    let reason = "the router did not start\nits log".to_owned();
    early.incomplete =
        Some(IncompleteRecord { ended_by: EndedBy::StartFailures, reason, not_run: 3 });
    let mut of_cells = sample::report();
    of_cells.scenarios.iter_mut().for_each(|case| case.has_router = false);
    let mut shard = sample::report();
    shard.run.selection = excluding(18);
    shard.run.part = Some(PartOfRun::Shard(Shard { index: 2, count: 3 }));
    let mut beside = sample::report();
    let exploration = sample::exploration().exploration.unwrap();
    beside.explored = Some(ExploredBeside { exploration, ..ExploredBeside::default() });
    let all = [early, of_cells, shard, beside].map(|report| notes(&report).join("\n"));
    shows("notes", &all.join("\n\n"));
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
    nothing.exploration.iter_mut().for_each(|one| {
        one.found.clear();
        one.not_judged.clear();
    });
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

/// Badges by their JSON; the first as a picture also.
#[test]
fn badges_have_the_verdicts_and_only_what_passed_as_a_whole_is_green() {
    use Conclusion::{
        Conformant, ConformantBut, Incomplete, NoFailure, NoFailureIn, NotConformant, NotRun,
        SuiteFault,
    };
    let concluded = |conclusion, core, hardening, words: &[OutcomeWord]| {
        let mut report = sample::report();
        report.complaints.clear();
        report.conclusion = conclusion;
        (report.profiles[0].verdict, report.profiles[1].verdict) = (core, hardening);
        report.scenarios.retain(|one| words.contains(&one.outcome.word));
        report
    };
    let good = [OutcomeWord::Passed, OutcomeWord::NotApplicable];
    let warned = [OutcomeWord::Warned, OutcomeWord::KnownFailure];
    let part = NoFailureIn { known: 0, ran: 595, of: Some(2_296) };
    let passed = concluded(Conformant, Conformant, Conformant, &good);
    let mut claims_nothing = passed.clone();
    claims_nothing.router.protocols.clear();
    claims_nothing.scenarios[1].outcome.word = OutcomeWord::Passed;
    // The fleet is no verdict about the router.
    let mut fleet = passed.clone();
    fleet.profiles.push(ProfileVerdict {
        profile: Profile::Fleet,
        verdict: Incomplete,
        ..passed.profiles[0].clone()
    });
    let complaints = RunRecord { complaints: vec!["stale".to_owned()], ..passed.clone() };
    let mut explored = sample::exploration();
    explored.conclusion = NoFailure;
    explored.exploration.iter_mut().for_each(|one| one.found.clear());
    let green = [passed, claims_nothing, concluded(part, Conformant, NotRun, &good)];
    let other = [
        sample::report(),
        fleet,
        complaints,
        concluded(Conformant, Conformant, Conformant, &[OutcomeWord::Failed]),
        concluded(ConformantBut(1), Conformant, ConformantBut(1), &warned),
        concluded(NotConformant, Conformant, NotConformant, &good),
        concluded(NotConformant, Conformant, Conformant, &good),
        concluded(Incomplete, Conformant, Conformant, &good),
        concluded(SuiteFault, Conformant, Conformant, &good),
        concluded(part, NoFailure, NotRun, &good),
        concluded(Conformant, NotRun, NotRun, &good),
        sample::exploration(),
        RunRecord { conclusion: Incomplete, ..explored.clone() },
        explored,
    ];
    let (green, other) =
        (green.map(|one| markdown::endpoint(&one)), other.map(|one| markdown::endpoint(&one)));
    let is_green = |badge: &String| badge.contains("#2d7d46");
    assert!(green.iter().all(is_green) && !other.iter().any(is_green), "{green:?} {other:?}");
    let picture = elements(&markdown::badge(&sample::report()));
    shows("badges", &[picture, green.concat(), other.concat()].concat());
    roxmltree::Document::parse(&markdown::badge(&sample::hostile())).unwrap();
}

#[test]
fn a_comparison_has_requirements_and_changes() {
    let reports = [("a.json".to_owned(), sample::report()), ("b.json".to_owned(), worse())];
    let matrix = Matrix::new(&reports, Ledger::embedded());
    let tables = [matrix.text(None), matrix.text(Some(40))];
    shows("compare_requirements", &tables.join("\n"));
    let changes = Changes::between(&reports[0].1, &reports[1].1).text(&Styles::COLORED);
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
    let matrix = Matrix::new(&[("a.json".to_owned(), hostile.clone())], Ledger::embedded());
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
