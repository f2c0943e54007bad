//! Reports of real runs, in every form, and their comparison.

use std::path::Path;
use std::sync::LazyLock;

use boon::{Compiler, Schemas};
use serde_json::{Value, json};

use crate::call::{self, LAB, at, record, run, run_in, text};

/// A few scenarios, with and without exchanges, of both protocols.
const SELECTION: &str = "journeys::project_signed_in::*::a_*";

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

/// The reference router passes.
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
fn junit_counts_are_those_of_the_report() {
    for folder in [passed(), failed()] {
        let report = record(folder, "report.json");
        let text = text(folder, "junit.xml");
        let document = roxmltree::Document::parse(&text).unwrap();
        let count = |word: &str| {
            let words = report.scenarios.iter().map(|scenario| scenario.outcome.word.as_str());
            words.filter(|own| *own == word).count().to_string()
        };
        let root = document.root_element();
        assert_eq!(root.attribute("tests"), Some(report.scenarios.len().to_string().as_str()));
        assert_eq!(root.attribute("failures"), Some(count("failed").as_str()));
        assert_eq!(root.attribute("skipped"), Some(count("not applicable").as_str()));
        assert_eq!(root.attribute("errors"), Some("0"));
    }
    assert!(text(failed(), "junit.xml").contains("<failure message="));
}

#[test]
fn summary_and_badge_show_the_result() {
    assert!(text(passed(), "summary.md").contains("# Conformance of reference router"));
    assert!(text(failed(), "summary.md").contains("## Failures"));
    // A part of the suite gives no verdict about the core.
    assert!(text(passed(), "badge.svg").contains("no failure in "));
    assert!(text(failed(), "badge.svg").contains("not conformant"));
    for folder in [passed(), failed()] {
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

#[test]
fn two_reports_are_compared() {
    let (old, new) = (at(passed(), "report.json"), at(failed(), "report.json"));
    let text = run(&["report", "compare", &old, &new])
        .with(0)
        .out("regressions (")
        .out("passed -> failed")
        .out;
    let is_worse = |line: &str| {
        line.starts_with("BF-") && line.contains("  ok  ") && line.ends_with("MUST violated")
    };
    assert!(text.lines().any(is_worse), "{text}");
    run(&["report", "compare", &old, &old]).out("no scenario changed");
    let three = run(&["report", "compare", "--format", "markdown", &old, &new, &old])
        .never("regressions (");
    assert!(three.out.starts_with("| requirement | level | profile |"), "{}", three.out);
}
