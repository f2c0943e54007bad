//! Reports stay small: what repeats is written once, and pages pack what nobody has opened.

use serde_json::Value;

use crate::call::{json, run_in, text};

/// The most bytes of a report for each scenario that was run, with its share of the tables. A
/// report that repeated its heads and steps had many times as many.
const JSON: usize = 4000;
const HTML: usize = 3500;

#[test]
fn a_scenario_takes_few_bytes_of_a_report() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let reports = ["--report=json=report.json", "--report=html=report.html"];
    run_in(folder, &[&["run", "journeys"], &reports[..]].concat()).with(0);
    let report = json(folder, "report.json");
    let count = report["scenarios"].as_array().expect("scenarios").len();
    assert!(count > 200, "{count} scenarios");
    let each =
        (text(folder, "report.json").len() / count, text(folder, "report.html").len() / count);
    assert!(each.0 < JSON, "{} bytes of JSON for each scenario", each.0);
    assert!(each.1 < HTML, "{} bytes of HTML for each scenario", each.1);

    for table in ["steps", "fields", "heads", "responses", "accesses", "fleets", "routers"] {
        let rows = report["tables"][table].as_array().expect("a table");
        let mut distinct: Vec<_> = rows.iter().map(Value::to_string).collect();
        distinct.sort();
        distinct.dedup();
        assert!(!rows.is_empty() && distinct.len() == rows.len(), "{table} repeats rows");
    }
}
