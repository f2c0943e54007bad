use super::super::sample;
use super::*;
use crate::verdict::OutcomeWord;

fn of(report: &RunRecord, names_all: bool) -> String {
    summary(report, &Screen { width: Some(60), ..Screen::default() }, names_all)
}

#[test]
fn one_cause_has_one_example_and_all_names_on_demand() {
    let mut report = sample::report();
    let failed = report.scenarios.swap_remove(2);
    report.scenarios = (0..9)
        .map(|number| CaseRecord { name: format!("area::case_{number}"), ..failed.clone() })
        .collect();
    let text = of(&report, false);
    assert!(text.contains("\n9 failures with 1 cause: one requirement, one first\n  difference\n"));
    assert_eq!(text.matches("FAILED ").count(), 1, "{text}");
    let others = concat!(
        "  the same in 8 more scenarios:\n",
        "    area::case_1\n    area::case_2\n    area::case_3\n    and 5 more\n"
    );
    assert!(text.contains(others), "{text}");
    assert!(text.contains("`--verbose` names every scenario"), "{text}");
    let text = of(&report, true);
    assert!(text.contains("    area::case_8\n") && !text.contains("--verbose"), "{text}");
}

#[test]
fn many_causes_are_described_then_listed_then_counted() {
    let mut report = sample::report();
    let failed = report.scenarios.swap_remove(2);
    let numbered = |number: usize| {
        let mut scenario = failed.clone();
        scenario.name = format!("area::case_{number}");
        scenario.findings[0].requirement = format!("XX-{number:02}").parse().unwrap();
        scenario
    };
    report.scenarios = (0..50).map(numbered).collect();
    let text = of(&report, false);
    assert_eq!(text.matches("FAILED ").count(), DESCRIBED, "{text}");
    assert!(
        text.contains("\n  1 x XX-10 nothing more was observed\n      area::case_10\n"),
        "{text}"
    );
    assert!(text.contains("\n  and 10 more causes\n"), "{text}");
    assert!(of(&report, true).contains("area::case_49\n"));
}

#[test]
fn known_failures_with_one_reason_have_it_once_and_all_their_names() {
    let mut report = sample::report();
    let known = report.scenarios.swap_remove(3);
    let numbered = |number| CaseRecord { name: format!("area::case_{number}"), ..known.clone() };
    report.scenarios = (0..2).map(numbered).collect();
    let lines = concat!(
        "\n  2 scenarios: the engine cannot (https://example.com/1)\n",
        "    area::case_0\n    area::case_1\n"
    );
    assert!(of(&report, false).contains(lines));
    report.scenarios = (0..50).map(numbered).collect();
    let text = of(&report, false);
    assert!(text.contains("    and 10 more\n") && text.contains("--verbose"), "{text}");
    assert!(of(&report, true).contains("    area::case_49\n"));
}

#[test]
fn a_profile_with_many_features_lists_those_that_did_not_pass() {
    let mut report = sample::report();
    let (passed, failed) = (report.scenarios[0].clone(), report.scenarios[2].clone());
    report.scenarios = (0..20)
        .map(|number| CaseRecord { feature: format!("F{number}"), ..passed.clone() })
        .chain([failed])
        .collect();
    let text = of(&report, false);
    assert!(text.contains("\n  0/1       A sample  (journeys/01_sample.feature)\n"), "{text}");
    assert!(text.contains("\n  20 other features: every scenario passed\n"), "{text}");
    assert!(!text.contains("F7"), "{text}");
}

#[test]
fn routers_that_do_not_start_for_one_reason_have_one_example() {
    let mut report = sample::report();
    let case =
        report.scenarios.iter().find(|case| case.outcome.word == OutcomeWord::CouldNotRun).unwrap();
    let ended = |router: &str, status: &str| {
        let mut case = case.clone();
        case.outcome.reason = Some(format!(
            "{router} ended before it accepted a connection: {status}\nits log: {router}"
        ));
        case
    };
    report.scenarios = vec![
        ended("router_eu", "exit status: 1"),
        ended("router_us", "exit status: 1"),
        ended("router_eu", "exit status: 2"),
    ];
    let text = summary(&report, &Screen::default(), false);
    assert!(text.contains("\n  2 scenarios: router_eu ended"), "{text}");
    assert!(text.contains("exit status: 2") && text.contains("its log: router_eu"), "{text}");
    assert!(!text.contains("router_us"), "{text}");
}
