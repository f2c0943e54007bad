use super::super::sample;
use super::*;

#[test]
fn a_report_has_its_main_parts() {
    let text = render(&sample::report());
    for part in [
        "# Conformance of Waypoint 2.1",
        "| core | not conformant | 1 | 1 | 1 | 1 | 1 |  | 1 |  | 1 |",
        "### BF-03 (MUST, core)\n\nA bounced request goes to the named cell.\n\
         *buffering: Flows*",
        "## Warnings\n\n### Z-03 (SHOULD, hardening)",
        "| RT-08 | the engine cannot | [https://example.com/1](<https://example.com/1>) |",
        "(nothing)",
        "Rerun: `cells-conformance run 'journeys::sample::a_failure[buffering]' --seed 7",
        "| A sample | `journeys/01_sample.feature` | 1 | 1 | 1 | 1 | 1 |  | 1 |  | 1 |",
        "| buffering | Flows | 1 |",
        "| seed | 7 |",
        "- `journeys::sample::no_port[buffering]`: the port is taken",
    ] {
        assert!(text.contains(part), "{part:?} is missing in\n{text}");
    }
}

#[test]
fn hostile_text_neither_makes_markup_nor_breaks_a_table() {
    let text = render(&sample::hostile());
    let mut fence = None;
    let mut columns = None;
    for line in text.lines() {
        let ticks = line.len() - line.trim_start_matches('`').len();
        match fence {
            None if ticks >= 3 && !line[ticks..].contains('`') => fence = Some(ticks),
            Some(open) if ticks >= open && line.len() == ticks => fence = None,
            Some(_) => continue,
            None => {}
        }
        assert!(
            fence.is_some() || !line.replace("\\<", "").contains("<script") || line.contains('`'),
            "{line}"
        );
        let bars = line.replace("\\|", "").matches('|').count();
        if line.starts_with('|') {
            assert_eq!(*columns.get_or_insert(bars), bars, "{line}");
        } else {
            columns = None;
        }
    }
    assert_eq!(fence, None);
}

#[test]
fn an_exploration_shows_scenario_replay_and_pairs_and_no_conformance() {
    let text = render(&sample::exploration());
    for part in [
        "# Exploration of Waypoint 2.1\n",
        "1 requirement violated in 1000 journeys (600 buffering, 400 learning)",
        "### BF-03 (MUST, core)",
        "```gherkin\nFeature: F\n",
        "the shortened journey fails 9 of 10 times",
        "Replay: `cells-conformance explore --protocol buffering --journey 77",
        "Rerun: `cells-conformance run --features found/BF-03-77.feature",
        "|  | cold | warm | owner in trouble |\n",
        "| visit | 1200 | 70 |  |\n",
        "| rerun | `cells-conformance explore --runs 1000 --seed 7",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    assert!(!text.contains("# Conformance of") && !text.contains("| profile |"), "{text}");
}

#[test]
fn many_scenarios_of_one_requirement_stay_short() {
    let mut report = sample::report();
    let failure = report.scenarios[2].clone();
    for number in 0..100 {
        report
            .scenarios
            .push(CaseRecord { name: format!("{}{number}", failure.name), ..failure.clone() });
    }
    let text = render(&report);
    assert!(text.contains("- and 96 more"));
    assert_eq!(text.matches("### BF-03").count(), 1);
}
