//! `verify`: reports of real runs, untouched and changed.

use serde_json::{Value, json};

use crate::call::{self, LAB, run_in, verify};
use crate::reports::{failed, passed};

fn good() -> Value {
    call::json(passed(), "report.json")
}

fn bad() -> Value {
    call::json(failed(), "report.json")
}

/// Changes of the report with failures: members, as [`place`] names them, with another value.
type Changes<'a> = &'a [(&'a str, Value)];

/// The exit code of `verify` after these changes, and what it says.
#[track_caller]
fn noticed(rows: &[(Changes<'_>, i32, &str)]) {
    for (changes, code, part) in rows {
        let mut report = bad();
        for (member, value) in *changes {
            let place = place(&bad(), member);
            let (parent, name) = place.rsplit_once('/').unwrap();
            report.pointer_mut(parent).unwrap()[name] = value.clone();
        }
        verify(&report).with(*code).says(part);
    }
}

/// The path of a member: `failure` stands for the first scenario that failed, `traced` for the first
/// with a request at a cell.
fn place(report: &Value, member: &str) -> String {
    let scenarios = report["scenarios"].as_array().unwrap();
    let failed = scenarios.iter().position(|one| one["outcome"]["word"] == "failed").unwrap();
    let traced = scenarios.iter().position(|one| one["trace"]["hops"][0].is_object()).unwrap();
    let named = member.replace("failure/", &format!("scenarios/{failed}/"));
    format!("/{}", named.replace("traced/", &format!("scenarios/{traced}/trace/")))
}

fn scenarios(report: &mut Value) -> &mut Vec<Value> {
    report["scenarios"].as_array_mut().unwrap()
}

#[test]
fn an_untouched_report_is_verified() {
    for report in [good(), bad()] {
        verify(&report)
            .with(0)
            .out("all verdicts follow")
            .out("does not prove")
            .out("that the exchanges took place");
    }
}

#[test]
fn an_unsolicited_request_that_no_step_found_follows() {
    let folder = tempfile::tempdir().unwrap();
    let words = ["run", "hardening::range_and_conditional_requests::*", "--report=json=r.json"];
    let broken = ["--", LAB, "broken", "pings-cells-ahead-of-ranges"];
    run_in(folder.path(), &[&words[..], &broken].concat()).with(1);
    let report = call::json(folder.path(), "r.json");
    verify(&report).with(0);
    let found = |scenario: &Value| scenario["findings"].as_array().cloned().unwrap_or_default();
    let findings: Vec<_> = report["scenarios"].as_array().unwrap().iter().flat_map(found).collect();
    assert!(findings.iter().any(|one| one["requirement"] == "Z-75" && one["step_index"].is_null()));
}

#[test]
fn an_exchange_with_a_body_of_which_the_report_holds_the_beginning_follows() {
    let folder = tempfile::tempdir().unwrap();
    let name = "an_oversized_learn_response_causes_no_hang_2_mib";
    run_in(folder.path(), &["run", name, "--reference", "--report=json=r.json"]).with(0);
    verify(&call::json(folder.path(), "r.json")).with(0);
}

#[test]
fn a_changed_response_is_noticed() {
    let mut report = good();
    let is_buffering = |scenario: &&mut Value| {
        scenario["outcome"]["word"] == "passed" && scenario["protocol"] == "buffering"
    };
    let scenario = scenarios(&mut report).iter_mut().find(is_buffering).unwrap();
    let name = scenario["name"].as_str().unwrap().to_owned();
    let users = scenario["trace"]["users"].as_array_mut().unwrap();
    users.last_mut().unwrap()["response"]["got"]["Ok"]["status"] = json!(502);
    verify(&report)
        .with(1)
        .says(&format!("{name}: outcome.word is recorded as passed, but failed follows"))
        .says("profiles.0.verdict is recorded as no failure, but not conformant follows")
        .says("conclusion is recorded as no failure in ");
}

#[test]
fn missing_and_duplicate_scenarios_are_noticed() {
    let mut missing = bad();
    scenarios(&mut missing).remove(0);
    verify(&missing).with(1).says("was selected, but is missing");
    let mut twice = bad();
    let again = twice["scenarios"][0].clone();
    scenarios(&mut twice).push(again);
    verify(&twice).with(1).says("is twice in the report");
}

#[test]
fn changed_outcomes_verdicts_texts_and_bodies_are_noticed() {
    let report = bad();
    let id = report["requirements"].as_object().unwrap().keys().next().unwrap();
    let level = format!("requirements/{id}/level");
    let mut bodies = report["bodies"].as_object().unwrap().iter();
    let (digest, body) = bodies.find(|(_, body)| body["length"] != 0).unwrap();
    let other = "x".repeat(body["length"].as_u64().unwrap() as usize);
    let body = format!("bodies/{digest}/beginning");
    let word = |word: &str| ("failure/outcome/word", json!(word));
    let (no_findings, no_trace) = (("failure/findings", json!([])), ("failure/trace", json!(null)));
    let invented = ("scenarios/0/name", json!("journeys::none[buffering]"));
    noticed(&[
        (&[word("passed")], 1, "failed follows"),
        (&[word("passed"), no_findings.clone()], 1, "failed follows"),
        (&[word("passed"), no_findings.clone(), no_trace], 1, "the report has no exchange"),
        (&[word("not applicable"), no_findings], 1, "as not applicable, but failed follows"),
        (&[word("known failure")], 1, "is recorded as known failure, but failed follows"),
        (&[invented], 1, "the features have no such scenario"),
        (&[("conclusion", json!("conformant"))], 1, "conclusion is recorded as conformant"),
        (&[("exit_code", json!(0))], 1, "exit_code is recorded as 0, but 1 follows"),
        (
            &[("profiles/0/verdict", json!("conformant"))],
            1,
            "profiles.0.verdict is recorded as conformant",
        ),
        (
            &[("profiles/0/outcomes/passed", json!(9_999))],
            1,
            "profiles.0.outcomes.passed is recorded as 9999",
        ),
        (&[("profiles", json!([]))], 1, "profiles.0 is recorded as nothing"),
        (
            &[("run/selection", json!(["no-such-scenario"]))],
            1,
            "the selection that the report names",
        ),
        (&[(level.as_str(), json!("MAY"))], 1, "level is recorded as MAY"),
        (&[(body.as_str(), json!(other))], 1, "its bytes have the digest"),
        (&[("scenarios/0/steps/0/text", json!("nothing"))], 1, "text is recorded as nothing"),
        (
            &[("failure/exchanges/0/observed", json!([]))],
            1,
            "exchanges.0.observed.0 is recorded as nothing",
        ),
    ]);
}

#[test]
fn a_changed_field_is_noticed() {
    let mut report = bad();
    let hops = scenarios(&mut report)
        .iter_mut()
        .flat_map(|scenario| scenario["trace"]["hops"].as_array_mut().into_iter().flatten());
    let mut lines =
        hops.flat_map(|hop| hop["response"][1]["fields"].as_array_mut().into_iter().flatten());
    let line = lines.find(|line| line[0] == "X-Gitlab-Cell-Redirect").unwrap();
    line[1] = json!("{cell:Cell US9}");
    verify(&report).with(1).says("does not follow from what the report records");
}

/// A report that refers to something that it does not have is refused as a whole.
#[test]
fn dangling_references_and_earlier_versions_are_refused() {
    let body = |name: &str| ("traced/users/0/body", json!(name));
    let earlier = "a report of version 2, but this program reads version 5";
    noticed(&[
        (&[body(&"1".repeat(64))], 2, "the report has no body 111"),
        (&[body("0badc0de")], 2, "names no body"),
        (&[("bodies", json!({}))], 2, "the report has no body"),
        (
            &[("traced/hops/0/origin", json!({ "user": 1_000_000 }))],
            2,
            "a hop belongs to user request 1000000, of 1",
        ),
        (&[("traced/hops/0/cell", json!("cell"))], 2, "`cell` is not a cell"),
        (&[("version", json!(2))], 2, earlier),
    ]);
}

#[test]
fn a_report_of_other_features_cannot_be_judged() {
    let mut report = good();
    report["suite"]["features_digest"] = json!("00".repeat(32));
    verify(&report).with(3).says("the features differ").never("the ledger of requirements differ");
}

#[test]
fn an_invalid_report_is_a_usage_error() {
    let folder = tempfile::tempdir().unwrap();
    for command in ["verify", "compare"] {
        run_in(folder.path(), &["report", command, "none.json"]).with(2);
        for text in ["", "[]", "{\"version\": 1}"] {
            std::fs::write(folder.path().join("report.json"), text).unwrap();
            run_in(folder.path(), &["report", command, "report.json"]).with(2).says("report.json");
        }
    }
}

#[test]
fn what_a_file_holds_gives_a_terminal_no_orders() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let mut report = good();
    // What cannot be read is quoted.
    report["scenarios"][0]["outcome"]["word"] = "\u{1b}[2Jpassed\u{9b}".into();
    std::fs::write(folder.join("r.json"), report.to_string()).unwrap();
    let feature = "Feature: a\n\n  @buffering\n  Scenario: a page arrives whole\n    \
                   Given \u{1b}[2J\u{7}\n    Then anna gets status 200 (RT-08)\n";
    std::fs::write(folder.join("a.feature"), feature).unwrap();
    for words in [
        &["report", "render", "r.json", "--report=html=r.html"][..],
        &["report", "verify", "r.json"],
        &["report", "compare", "r.json"],
        &["report", "matrix", "r.json", "--out=m"],
        &["lint", "a.feature"],
        &["run", "--features=\u{1b}[2J.feature"],
    ] {
        let ended = run_in(folder, words);
        let is_control = |c: &char| c.is_control() && *c != '\n';
        assert_eq!(ended.said().chars().find(is_control), None, "{words:?} {ended:?}");
        assert!(ended.said().contains("\\x1b[2J"), "{words:?} {ended:?}");
    }
}
