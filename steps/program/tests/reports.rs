//! The program writes reports, compares them and judges them again.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

use conformance_suite::record::RunRecord;
use serde_json::{Value, json};

/// A few scenarios, with and without exchanges, of both protocols.
const SELECTION: &str = "journeys::project_signed_in::*::a_*";

/// Reports of one run of a router, in all forms, in a folder of their own.
struct Written {
    folder: tempfile::TempDir,
}

impl Written {
    /// Runs the selection; `router` is a subcommand of the program itself.
    fn by(router: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut command = Command::new(program());
        command.args(["run", SELECTION, "--seed", "1"]);
        for (form, name) in [
            ("json", "report.json"),
            ("junit", "junit.xml"),
            ("markdown", "summary.md"),
            ("badge", "badge.svg"),
            ("html", "report.html"),
        ] {
            command.arg("--report").arg(format!("{form}={}", folder.path().join(name).display()));
        }
        if !router.is_empty() {
            command.arg("--").arg(program()).args(router);
        }
        let output = command.output().unwrap();
        let expected = if router.is_empty() { 0 } else { 1 };
        assert_eq!(output.status.code(), Some(expected), "{}", said(&output));
        Self { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    fn json(&self) -> Value {
        serde_json::from_str(&self.text("report.json")).unwrap()
    }
}

/// The reference router passes.
static PASSED: LazyLock<Written> = LazyLock::new(|| Written::by(&[]));
/// A router that passes the cell's redirect on to the user fails some scenarios.
static FAILED: LazyLock<Written> =
    LazyLock::new(|| Written::by(&["broken", "passes-the-bounce-on"]));

fn program() -> &'static str {
    env!("CARGO_BIN_EXE_cells-conformance")
}

fn call(arguments: &[&Path]) -> Output {
    Command::new(program()).args(arguments).output().unwrap()
}

fn said(output: &Output) -> String {
    format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
}

/// The exit code and what `verify` says of a report.
fn verify(report: &Value) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("report.json");
    std::fs::write(&path, report.to_string()).unwrap();
    let output = call(&["verify".as_ref(), &path]);
    (output.status.code(), said(&output))
}

/// The scenarios with this outcome.
fn with_outcome<'a>(report: &'a mut Value, word: &'a str) -> impl Iterator<Item = &'a mut Value> {
    report["scenarios"]
        .as_array_mut()
        .unwrap()
        .iter_mut()
        .filter(move |scenario| scenario["outcome"]["word"] == word)
}

fn scenario_named<'a>(report: &'a mut Value, name: &str) -> &'a mut Value {
    let scenarios = report["scenarios"].as_array_mut().unwrap();
    scenarios.iter_mut().find(|scenario| scenario["name"] == name).unwrap()
}

#[test]
fn junit_counts_are_those_of_the_report() {
    for written in [&*PASSED, &*FAILED] {
        let report = RunRecord::from_json(&written.text("report.json")).unwrap();
        let text = written.text("junit.xml");
        let document = roxmltree::Document::parse(&text).unwrap();
        let count = |word: &str| {
            report
                .scenarios
                .iter()
                .filter(|scenario| scenario.outcome.word.as_str() == word)
                .count()
                .to_string()
        };
        let root = document.root_element();
        assert_eq!(root.attribute("tests"), Some(report.scenarios.len().to_string().as_str()));
        assert_eq!(root.attribute("failures"), Some(count("failed").as_str()));
        assert_eq!(root.attribute("skipped"), Some(count("not applicable").as_str()));
        assert_eq!(root.attribute("errors"), Some("0"));
    }
    assert!(FAILED.text("junit.xml").contains("<failure message="));
}

#[test]
fn summary_and_badge_show_the_result() {
    assert!(PASSED.text("summary.md").contains("# Conformance of reference router"));
    assert!(FAILED.text("summary.md").contains("## Failures"));
    // A part of the suite gives no verdict about the core.
    assert!(PASSED.text("badge.svg").contains(" | run in part"));
    assert!(FAILED.text("badge.svg").contains(": not conformant"));
    for written in [&*PASSED, &*FAILED] {
        roxmltree::Document::parse(&written.text("badge.svg")).unwrap();
        assert!(written.text("report.html").starts_with("<!"));
    }
}

#[test]
fn a_written_report_is_valid_by_the_schema() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/report.schema.json");
    let schema: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    for written in [&*PASSED, &*FAILED] {
        assert_eq!(schema::faults(&schema, &written.json()), Vec::<String>::new());
    }
    let mut wrong = PASSED.json();
    wrong["version"] = json!(1);
    wrong["scenarios"][0]["took_ms"] = json!("long");
    wrong["router"].as_object_mut().unwrap().remove("name");
    assert_eq!(schema::faults(&schema, &wrong).len(), 3);
}

#[test]
fn an_untouched_report_is_verified() {
    for written in [&*PASSED, &*FAILED] {
        let (code, text) = verify(&written.json());
        assert_eq!(code, Some(0), "{text}");
        for part in ["all verdicts follow", "does not prove", "that the exchanges took place"] {
            assert!(text.contains(part), "{text}");
        }
    }
}

#[test]
fn an_unsolicited_request_that_no_step_found_follows() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("report.json");
    let output = Command::new(program())
        .args(["run", "hardening::range_and_conditional_requests::*", "--seed", "1"])
        .arg("--report")
        .arg(format!("json={}", path.display()))
        .args(["--", program(), "broken", "asks-for-the-length-ahead-of-ranges"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    let report = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let (code, text) = verify(&report);
    assert_eq!(code, Some(0), "{text}");
    let found = |scenario: &Value| scenario["findings"].as_array().cloned().unwrap_or_default();
    let findings: Vec<_> = report["scenarios"].as_array().unwrap().iter().flat_map(found).collect();
    assert!(findings.iter().any(|one| one["requirement"] == "Z-75" && one["step_index"].is_null()));
}

#[test]
fn a_changed_response_is_noticed() {
    let mut report = PASSED.json();
    let scenario = with_outcome(&mut report, "passed")
        .find(|scenario| scenario["protocol"] == "buffering")
        .unwrap();
    let users = scenario["trace"]["users"].as_array_mut().unwrap();
    let place = &mut users.last_mut().unwrap()["response"]["response"];
    let original = std::mem::replace(place, json!(1_000_000)).as_u64().unwrap() as usize;
    let name = scenario["name"].as_str().unwrap().to_owned();
    let (code, text) = verify(&report);
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("no row 1000000 in the table responses"), "{text}");

    // A row of its own, since others refer to the original.
    let rows = report["tables"]["responses"].as_array_mut().unwrap();
    let mut changed = rows[original].clone();
    changed["status"] = json!(502);
    rows.push(changed);
    let added = json!(rows.len() - 1);
    let users = scenario_named(&mut report, &name)["trace"]["users"].as_array_mut().unwrap();
    users.last_mut().unwrap()["response"]["response"] = added;
    let (code, text) = verify(&report);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains(&format!("{name}: recorded as passed, but failed follows")), "{text}");
    assert!(text.contains("core is recorded as conformant, but not conformant follows"), "{text}");
    assert!(
        text.contains("the conclusion is recorded as conformant, but not conformant follows"),
        "{text}"
    );
}

#[test]
fn a_changed_outcome_is_noticed() {
    // The outcome alone; without its findings; and as not applicable.
    for (word, findings) in
        [("passed", false), ("passed", true), ("not applicable", true), ("known failure", false)]
    {
        let mut report = FAILED.json();
        let scenario = with_outcome(&mut report, "failed").next().unwrap();
        scenario["outcome"]["word"] = json!(word);
        scenario["findings"] = if findings { json!([]) } else { scenario["findings"].take() };
        let (code, text) = verify(&report);
        assert_eq!(code, Some(1), "{word}: {text}");
    }
}

#[test]
fn an_outcome_without_its_exchanges_is_noticed() {
    let mut report = FAILED.json();
    let scenario = with_outcome(&mut report, "failed").next().unwrap();
    scenario["outcome"]["word"] = json!("passed");
    scenario["findings"] = json!([]);
    scenario["trace"] = Value::Null;
    let (code, text) = verify(&report);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("the report has no exchange"), "{text}");
}

#[test]
fn missing_duplicate_and_invented_scenarios_are_noticed() {
    let noticed = |change: &dyn Fn(&mut Vec<Value>), part: &str| {
        let mut report = FAILED.json();
        change(report["scenarios"].as_array_mut().unwrap());
        let (code, text) = verify(&report);
        assert_eq!(code, Some(1), "{text}");
        assert!(text.contains(part), "{text}");
    };
    noticed(&|scenarios| drop(scenarios.remove(0)), "was selected, but is missing in the report");
    noticed(&|scenarios| scenarios.push(scenarios[0].clone()), "is twice in the report");
    noticed(
        &|scenarios| scenarios[0]["name"] = json!("journeys::none[buffering]"),
        "the features have no such scenario",
    );
}

#[test]
fn changed_verdicts_texts_and_bodies_are_noticed() {
    let noticed = |change: &dyn Fn(&mut Value), part: &str| {
        let mut report = FAILED.json();
        change(&mut report);
        let (code, text) = verify(&report);
        assert_eq!(code, Some(1), "{text}");
        assert!(text.contains(part), "{text}");
    };
    noticed(
        &|report| report["conclusion"] = json!("conformant"),
        "the conclusion is recorded as conformant",
    );
    noticed(&|report| report["exit_code"] = json!(0), "the exit code is recorded as 0");
    let known = |report: &mut Value| {
        let scenario = with_outcome(report, "failed").next().unwrap();
        scenario["outcome"]["word"] = json!("known failure");
    };
    noticed(&known, "recorded as a known failure, but the report lists none");
    noticed(
        &|report| report["profiles"][0]["verdict"] = json!("conformant"),
        "core is recorded as conformant",
    );
    noticed(
        &|report| report["profiles"][0]["outcomes"]["passed"] = json!(9_999),
        "the counts of core",
    );
    noticed(&|report| report["profiles"] = json!([]), "the verdict of core is missing");
    noticed(
        &|report| report["run"]["selection"] = json!(["no-such-scenario"]),
        "the selection that the report names",
    );
    let level = |report: &mut Value| {
        let (_, row) = report["requirements"].as_object_mut().unwrap().iter_mut().next().unwrap();
        row["level"] = json!("MAY");
    };
    noticed(&level, "are not those of the ledger");
    let body = |report: &mut Value| {
        let (_, body) = report["bodies"]
            .as_object_mut()
            .unwrap()
            .iter_mut()
            .find(|(_, body)| body["length"] != 0)
            .unwrap();
        body["beginning"] = json!("x".repeat(body["length"].as_u64().unwrap() as usize));
    };
    noticed(&body, "its bytes have the digest");
    let steps =
        |report: &mut Value| report["tables"]["steps"][0]["text"] = json!("nothing in particular");
    noticed(&steps, "steps are not those of the features");
    let drawn = |report: &mut Value| {
        let scenario = with_outcome(report, "failed")
            .find(|scenario| scenario["exchanges"] != json!([]))
            .unwrap();
        scenario["exchanges"][0]["observed"] = json!([]);
    };
    noticed(&drawn, "the drawn exchanges are not those");
    let field = |report: &mut Value| {
        let lines = report["tables"]["fields"].as_array_mut().unwrap();
        let line = lines.iter_mut().find(|line| line[0] == "X-Gitlab-Cell-Redirect");
        line.unwrap()[1] = json!("{cell:Cell US9}");
    };
    noticed(&field, "does not follow from what the report records");
}

/// A report that refers to something that it does not have is refused as a whole.
#[test]
fn dangling_references_are_noticed() {
    let noticed = |change: &dyn Fn(&mut Value), part: &str| {
        let mut report = FAILED.json();
        change(&mut report);
        let (code, text) = verify(&report);
        assert_eq!(code, Some(2), "{text}");
        assert!(text.contains(part), "{text}");
    };
    fn traced(report: &mut Value) -> &mut Value {
        let mut scenarios = report["scenarios"].as_array_mut().unwrap().iter_mut();
        &mut scenarios.find(|one| one["trace"]["hops"][0].is_object()).unwrap()["trace"]
    }
    noticed(&|report| traced(report)["hops"][0]["head"] = json!(99_999), "in the table heads");
    noticed(&|report| traced(report)["users"][0]["head"] = json!(99_999), "in the table heads");
    noticed(&|report| report["tables"]["heads"][0] = json!([99_999]), "in the table fields");
    noticed(&|report| report["scenarios"][0]["steps"][0] = json!(99_999), "in the table steps");
    noticed(&|report| report["tables"]["responses"] = json!([]), "in the table responses");
    noticed(&|report| traced(report)["users"][0]["body"] = json!("0badc0de"), "no body 0badc0de");
    noticed(&|report| traced(report)["users"][0]["body"] = json!(""), "several bodies");
    noticed(&|report| report["bodies"] = json!({}), "no body");
    noticed(&|report| traced(report)["fleet"] = json!(99), "in the table fleets");
    noticed(&|report| traced(report)["routers"] = json!([99]), "in the table routers");
    noticed(&|report| traced(report)["hosts"] = json!([]), "has host 0, of 0");
    noticed(&|report| report["tables"]["accesses"] = json!([]), "in the table accesses");
    noticed(&|report| drop(report.as_object_mut().unwrap().remove("tables")), "tables");
    let user = |report: &mut Value| {
        traced(report)["hops"][0]["origin"] = json!({ "user": 1_000_000 });
    };
    noticed(&user, "a hop belongs to user request 1000000, of 1");
    let line = |report: &mut Value| {
        let hop = &mut traced(report)["hops"][0];
        hop.as_object_mut().unwrap().remove("request_line");
        hop["origin"] = json!("unsolicited");
    };
    noticed(&line, "a hop has no request line, and no user");
}

#[test]
fn a_report_of_an_earlier_version_is_refused_by_name() {
    let mut report = PASSED.json();
    report["version"] = json!(1);
    let (code, text) = verify(&report);
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("a report of version 1, but this program reads version 2"), "{text}");
}

#[test]
fn a_report_of_other_features_cannot_be_judged() {
    let mut report = PASSED.json();
    report["suite"]["features_digest"] = json!("00".repeat(32));
    let (code, text) = verify(&report);
    assert_eq!(code, Some(3), "{text}");
    assert!(
        text.contains("the features differ") && !text.contains("the ledger of requirements differ"),
        "{text}"
    );
}

#[test]
fn an_invalid_report_is_a_usage_error() {
    for command in ["verify", "compare"] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("report.json");
        assert_eq!(call(&[command.as_ref(), &path]).status.code(), Some(2));
        for text in ["", "[]", "{\"version\": 1}"] {
            std::fs::write(&path, text).unwrap();
            let output = call(&[command.as_ref(), &path]);
            assert_eq!(output.status.code(), Some(2));
            assert!(said(&output).contains("report.json"), "{}", said(&output));
        }
    }
}

#[test]
fn two_reports_are_compared() {
    let (old, new) = (PASSED.path("report.json"), FAILED.path("report.json"));
    let output = call(&["compare".as_ref(), &old, &new]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let text = said(&output);
    assert!(
        text.lines().any(|line| line.starts_with("BF-")
            && line.contains("  ok  ")
            && line.ends_with("MUST violated")),
        "{text}"
    );
    assert!(text.contains("regressions (") && text.contains("passed -> failed"), "{text}");
    assert!(said(&call(&["compare".as_ref(), &old, &old])).contains("no scenario changed"));
    let three = said(&call(&[
        "compare".as_ref(),
        "--format".as_ref(),
        "markdown".as_ref(),
        &old,
        &new,
        &old,
    ]));
    assert!(
        three.starts_with("| requirement | level | profile |") && !three.contains("regressions ("),
        "{three}"
    );
}

/// As much of JSON Schema as the published schema uses.
mod schema {
    use serde_json::Value;

    /// Where the value is not valid by the schema.
    pub(crate) fn faults(schema: &Value, value: &Value) -> Vec<String> {
        let mut faults = Vec::new();
        check(schema, schema, value, "", &mut faults);
        faults
    }

    fn check(root: &Value, schema: &Value, value: &Value, place: &str, faults: &mut Vec<String>) {
        for (keyword, rule) in schema.as_object().into_iter().flatten() {
            let holds = match keyword.as_str() {
                "$ref" => {
                    let pointer =
                        rule.as_str().and_then(|reference| reference.strip_prefix('#')).unwrap();
                    check(root, root.pointer(pointer).unwrap(), value, place, faults);
                    true
                }
                "type" => match rule {
                    Value::Array(types) => types.iter().any(|name| is_of(value, name)),
                    name => is_of(value, name),
                },
                "const" => rule == value,
                "enum" => rule.as_array().unwrap().contains(value),
                "required" => {
                    let missing = |name: &&Value| {
                        value
                            .as_object()
                            .is_some_and(|object| !object.contains_key(name.as_str().unwrap()))
                    };
                    !rule.as_array().unwrap().iter().any(|name| missing(&name))
                }
                "properties" => {
                    for (name, member) in rule.as_object().unwrap() {
                        if let Some(value) = value.get(name) {
                            check(root, member, value, &format!("{place}/{name}"), faults);
                        }
                    }
                    true
                }
                "additionalProperties" if rule.is_object() => {
                    let named = |name: &String| schema["properties"].get(name).is_some();
                    for (name, value) in
                        value.as_object().into_iter().flatten().filter(|(name, _)| !named(name))
                    {
                        check(root, rule, value, &format!("{place}/{name}"), faults);
                    }
                    true
                }
                "additionalProperties" => {
                    rule == true
                        || value
                            .as_object()
                            .into_iter()
                            .flatten()
                            .all(|(name, _)| schema["properties"].get(name).is_some())
                }
                "items" => {
                    for (number, value) in value.as_array().into_iter().flatten().enumerate() {
                        check(root, rule, value, &format!("{place}/{number}"), faults);
                    }
                    true
                }
                "prefixItems" => {
                    for (number, (value, rule)) in value
                        .as_array()
                        .into_iter()
                        .flatten()
                        .zip(rule.as_array().unwrap())
                        .enumerate()
                    {
                        check(root, rule, value, &format!("{place}/{number}"), faults);
                    }
                    true
                }
                "minItems" => value
                    .as_array()
                    .is_none_or(|items| items.len() as u64 >= rule.as_u64().unwrap()),
                "maxItems" => value
                    .as_array()
                    .is_none_or(|items| items.len() as u64 <= rule.as_u64().unwrap()),
                "minimum" => value.as_f64().is_none_or(|number| number >= rule.as_f64().unwrap()),
                "maximum" => value.as_f64().is_none_or(|number| number <= rule.as_f64().unwrap()),
                "anyOf" | "oneOf" => rule.as_array().unwrap().iter().any(|way| {
                    let mut inner = Vec::new();
                    check(root, way, value, place, &mut inner);
                    inner.is_empty()
                }),
                "$schema" | "$id" | "$defs" | "title" | "description" | "format" | "default" => {
                    true
                }
                other => panic!("the schema uses `{other}`, which this test does not know"),
            };
            if !holds {
                faults.push(format!("{place}: {keyword}"));
            }
        }
    }

    fn is_of(value: &Value, name: &Value) -> bool {
        match name.as_str().unwrap() {
            "object" => value.is_object(),
            "array" => value.is_array(),
            "string" => value.is_string(),
            "integer" => value.is_u64() || value.is_i64(),
            "number" => value.is_number(),
            "boolean" => value.is_boolean(),
            "null" => value.is_null(),
            other => panic!("no type `{other}`"),
        }
    }
}
