//! Reports stay small: what repeats is written once, and pages pack what nobody has opened.

use std::process::{Command, Stdio};

use serde_json::Value;

/// The most bytes of a report for each scenario that was run, with its share of the tables. A
/// report that repeated its heads and steps had many times as many.
const JSON: usize = 4000;
const HTML: usize = 3500;

#[test]
fn a_scenario_takes_few_bytes_of_a_report() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let ended = Command::new(env!("CARGO_BIN_EXE_cells-conformance"))
        .args(["run", "journeys"])
        .arg(format!("--report=json={}", path("report.json").display()))
        .arg(format!("--report=html={}", path("report.html").display()))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .expect("the program runs");
    assert!(ended.success());
    let text = |name: &str| std::fs::read_to_string(path(name)).expect("a report");
    let (json, html) = (text("report.json"), text("report.html"));
    let report: Value = serde_json::from_str(&json).expect("JSON");
    let count = report["scenarios"].as_array().expect("scenarios").len();
    assert!(count > 200, "{count} scenarios");
    let each = (json.len() / count, html.len() / count);
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
