//! Reports of real runs, in every form, and their comparison.

use std::path::Path;
use std::sync::LazyLock;

use boon::{Compiler, Schemas};
use serde_json::{Value, json};

use crate::call::{self, LAB, run_in, text};

/// A few scenarios, with and without exchanges, of both protocols.
const SELECTION: &str = "journeys::project_signed_in::*::a_*";

/// The most bytes of a report for each scenario that was run.
const JSON_BYTES: usize = 10_000;
const HTML_BYTES: usize = 3500;

/// A folder with the reports of one run of a router, in all forms.
fn written(router: &[&str], code: i32) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let options = [
        "run",
        SELECTION,
        "--seed=1",
        "--report=json=report.json",
        "--report=junit=junit.xml",
        "--report=markdown=summary.md",
        "--report=badge=badge.svg",
        "--report=html=report.html",
    ];
    run_in(folder.path(), &[&options[..], router].concat()).with(code);
    folder
}

pub(crate) fn passed() -> &'static Path {
    static PASSED: LazyLock<tempfile::TempDir> = LazyLock::new(|| written(&[], 0));
    PASSED.path()
}

/// A router that passes the cell's redirect on to the user fails some scenarios.
pub(crate) fn failed() -> &'static Path {
    static FAILED: LazyLock<tempfile::TempDir> =
        LazyLock::new(|| written(&["--", LAB, "broken", "passes-the-bounce-on"], 1));
    FAILED.path()
}

#[test]
fn reports_in_every_form_show_the_result() {
    // A part of the suite gives no verdict about the core.
    for (folder, badge, summary, junit) in [
        (passed(), "no failure in ", "# Conformance of reference router", "failures=\"0\""),
        (failed(), "not conformant", "## Failures", "<failure message="),
    ] {
        for (name, part) in [("badge.svg", badge), ("summary.md", summary), ("junit.xml", junit)] {
            assert!(text(folder, name).contains(part), "{part} in {name}");
        }
        roxmltree::Document::parse(&text(folder, "junit.xml")).unwrap();
        roxmltree::Document::parse(&text(folder, "badge.svg")).unwrap();
        assert!(text(folder, "report.html").starts_with("<!"));
    }
}

#[test]
fn a_written_report_is_valid_by_the_schema() {
    let schema = include_str!("../../../../docs/report.schema.json");
    let (mut schemas, mut compiler) = (Schemas::new(), Compiler::new());
    compiler.add_resource("report", serde_json::from_str(schema).unwrap()).unwrap();
    let schema = compiler.compile("report", &mut schemas).unwrap();
    let faults = |report: &Value| match schemas.validate(report, schema) {
        Ok(()) => String::new(),
        Err(error) => error.to_string(),
    };
    for folder in [passed(), failed()] {
        assert_eq!(faults(&call::json(folder, "report.json")), "");
    }
    let mut wrong = call::json(passed(), "report.json");
    wrong["version"] = json!(1);
    wrong["scenarios"][0]["took_ms"] = json!("long");
    wrong["router"].as_object_mut().unwrap().remove("name");
    let faults = faults(&wrong);
    for place in ["'/version'", "'/scenarios/0/took_ms'", "'/router'"] {
        assert!(faults.contains(place), "{place}: {faults}");
    }
}

/// Bodies stand once, and pages pack what nobody has opened.
#[test]
fn a_scenario_takes_few_bytes_of_a_report() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let reports = ["--report=json=report.json", "--report=html=report.html"];
    run_in(folder, &[&["run", "journeys"], &reports[..]].concat()).with(0);
    let count = call::json(folder, "report.json")["scenarios"].as_array().expect("scenarios").len();
    assert!(count > 200, "{count} scenarios");
    let each =
        (text(folder, "report.json").len() / count, text(folder, "report.html").len() / count);
    assert!(each.0 < JSON_BYTES, "{} bytes of JSON for each scenario", each.0);
    assert!(each.1 < HTML_BYTES, "{} bytes of HTML for each scenario", each.1);
}
