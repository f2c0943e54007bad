//! Reports stay small enough: bodies stand once, and pages pack what nobody has opened.

use crate::call::{json, run_in, text};

/// The most bytes of a report for each scenario that was run.
const JSON: usize = 10_000;
const HTML: usize = 3500;

#[test]
fn a_scenario_takes_few_bytes_of_a_report() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let reports = ["--report=json=report.json", "--report=html=report.html"];
    run_in(folder, &[&["run", "journeys"], &reports[..]].concat()).with(0);
    let count = json(folder, "report.json")["scenarios"].as_array().expect("scenarios").len();
    assert!(count > 200, "{count} scenarios");
    let each =
        (text(folder, "report.json").len() / count, text(folder, "report.html").len() / count);
    assert!(each.0 < JSON, "{} bytes of JSON for each scenario", each.0);
    assert!(each.1 < HTML, "{} bytes of HTML for each scenario", each.1);
}
