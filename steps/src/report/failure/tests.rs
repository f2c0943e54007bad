use cell_fleet::CellId;

use super::super::sample;
use super::*;
use crate::engine::record::LogRecord;
use crate::verdict::{OutcomeWord, Stalled};

#[test]
fn what_a_stall_explains_is_named_and_no_engine_is() {
    let mut report = sample::report();
    let place = report.scenarios.iter().position(|one| !one.findings.is_empty()).unwrap();
    let scenario = &mut report.scenarios[place];
    // The row of a known habit of engines.
    scenario.findings[0].requirement = "Z-17".to_owned();
    let text = describe(&report, &report.scenarios[place], &Screen::default());
    assert!(text.contains("engines: "), "{text}");
    let found = "Z-16: it took 6000 ms".to_owned();
    let stalled = Stalled { stall_ms: 1_300, bound_ms: 5_000, found };
    report.scenarios[place].earlier.push(stalled);
    let text = describe(&report, &report.scenarios[place], &Screen::default());
    let line = "left out: machine busy: it stalled for 1300 ms, more than a quarter of the 5000 ms";
    assert!(text.contains(line) && !text.contains("engines: "), "{text}");
}

fn described(word: OutcomeWord, width: Option<usize>) -> String {
    let mut report = sample::report();
    report.router.options = ["--router-file", "router.toml"].map(str::to_owned).into();
    let scenario = report.scenarios.iter().find(|one| one.outcome.word == word).unwrap();
    describe(&report, scenario, &Screen { width, ..Screen::default() })
}

#[test]
fn a_failure_fits_a_narrow_screen() {
    assert_eq!(
        described(OutcomeWord::Failed, Some(60)),
        "\
FAILED journeys::sample::a_failure[buffering]
  a failure[buffering]
    features/journeys/01_sample.feature:12
  BF-03 (MUST, core) is violated: A bounced request goes to
    the named cell.
  step: Then the exchange was (BF-03)
  found: nothing more was observed
  expected:
    user->>router_eu: GET /a
  > router_eu->>cell_eu0: GET /a
  observed:
    user->>router_eu: GET /a
  > (nothing)
  rerun: cells-conformance run \\
      'journeys::sample::a_failure[buffering]' --seed 7 \\
      --router-file router.toml
"
    );
}

#[test]
fn a_file_has_no_width_and_a_warning_is_no_violation() {
    assert_eq!(
        described(OutcomeWord::Warned, None),
        "\
WARNED journeys::sample::a_warning[buffering]
  a warning[buffering]  features/journeys/01_sample.feature:12
  Z-03 (SHOULD, hardening) is not followed: A bounced request goes to the named cell.
  step: Then the exchange was (BF-03)
  found: nothing more was observed
    expected                       |   observed
    user->>router_eu: GET /a       |   user->>router_eu: GET /a
  > router_eu->>cell_eu0: GET /a   | > (nothing)
  rerun: cells-conformance run 'journeys::sample::a_warning[buffering]' --seed 7 --router-file \
router.toml
"
        .replace("       |   ", "     |   ")
        .replace("/a   | >", "/a | >")
    );
}

#[test]
fn a_may_is_never_violated_and_musts_come_first() {
    let mut report = sample::report();
    let mut scenario = report.scenarios.swap_remove(2);
    let mut may = scenario.findings[0].clone();
    may.level = "MAY".to_owned();
    may.requirement = "Z-03".to_owned();
    scenario.findings.insert(0, may);
    let text = describe(&report, &scenario, &Screen::default());
    let place = |part: &str| text.find(part).unwrap_or_else(|| panic!("{part}\n{text}"));
    assert!(place("BF-03 (MUST, core) is violated") < place("Z-03 (MAY, hardening) differs"));
    // Both are about one exchange.
    assert_eq!(text.matches("|   observed\n").count(), 1, "{text}");
}

#[test]
fn a_log_is_shown_around_its_last_error_without_control_characters() {
    let mut report = sample::report();
    let mut scenario = report.scenarios.swap_remove(2);
    let mut end = "GET /\n".repeat(20);
    end.push_str("\u{1b}[2Jpanic: boom\u{7}\n");
    end.push_str(&"GET /\n".repeat(30));
    scenario.logs.push(LogRecord { router: "router_eu".to_owned(), end });
    let text = describe(&report, &scenario, &Screen::default());
    let log = "  the log of router_eu, around its last error:\n  | GET /\n";
    assert!(text.contains(log), "{text}");
    assert!(text.contains("  | GET /\n  | \\x1b[2Jpanic: boom\\x07\n  | GET /\n"), "{text}");
    assert_eq!(text.matches("  | GET /\n").count(), LOG_LINES - 1);
}

#[test]
fn cells_that_played_others_are_named() {
    let mut report = sample::report();
    let mut scenario = report.scenarios.swap_remove(2);
    let roles = [(CellId::eu(0), CellId::eu(1))].into();
    scenario.trace = Some(Trace { roles, ..Trace::default() }.into());
    let text = describe(&report, &scenario, &Screen::default());
    let line = "  played, as the router's topology names cells: cell_eu1 by cell_eu0\n";
    assert!(text.contains(line), "{text}");
}

#[test]
fn a_hostile_report_gives_no_control_character() {
    let report = sample::hostile();
    for width in [None, Some(60), Some(160)] {
        for scenario in &report.scenarios {
            let text = describe(&report, scenario, &Screen { width, ..Screen::default() });
            let is_control = |c: &char| c.is_control() && *c != '\n';
            assert_eq!(text.chars().find(is_control), None, "{text:?}");
        }
    }
}

#[test]
fn what_a_script_has_a_cell_send_is_shown_and_can_be_served_again() {
    let mut report = sample::report();
    let scenario = &mut report.scenarios[2];
    let given = StepRecord {
        keyword: "Given".to_owned(),
        text: "cell_us1 responds to \"/acme\" with raw bytes:".to_owned(),
        doc: Some("\nHTTP/1.1 200 OK\n: value\n".to_owned()),
    };
    let other = StepRecord { text: "a cold EU router".to_owned(), doc: None, ..given.clone() };
    scenario.steps = vec![other, given];
    let told: Vec<_> = cells_told(scenario).map(|step| step.text.as_str()).collect();
    assert_eq!(told, ["cell_us1 responds to \"/acme\" with raw bytes:"]);
    scenario.trace = Some(Default::default());
    let text = describe(&report, &report.scenarios[2], &Screen::default());
    assert!(text.contains("what a cell sends: cell_us1 responds to"), "{text}");
    assert!(text.contains("    : value\n"), "{text}");
    let line = cells_by_hand(&report.scenarios[2]);
    assert!(line.starts_with("cells-conformance fleet --scenario "), "{line}");
}

#[test]
fn a_response_that_answers_no_request_has_none_before_it() {
    let line = observed_line("user->>router_eu: UNSOLICITED -");
    assert_eq!(line, "user->>router_eu: (no request: what follows answers none)");
    assert_eq!(observed_line("user->>router_eu: GET /a"), "user->>router_eu: GET /a");
}
