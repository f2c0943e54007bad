//! `explore` as a program: what it writes, saves and refuses.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::LazyLock;

use serde_json::Value;

const PROGRAM: &str = env!("CARGO_BIN_EXE_cells-conformance");

/// A router that asks the learn endpoint too: every request of buffering shows it, whatever cell is
/// picked.
const BROKEN: [&str; 4] = ["--", PROGRAM, "broken", "asks-the-learn-endpoint-too"];

fn explore(arguments: &[&str]) -> Output {
    Command::new(PROGRAM).arg("explore").args(arguments).output().unwrap()
}

fn out(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// What an exploration of the broken router left.
struct Found {
    folder: tempfile::TempDir,
    output: Output,
}

impl Found {
    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    fn json(&self) -> Value {
        serde_json::from_str(&fs::read_to_string(self.path("report.json")).unwrap()).unwrap()
    }
}

static FOUND: LazyLock<Found> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let (json, junit) = (at("report.json"), at("junit.xml"));
    let (html, markdown) = (at("report.html"), at("summary.md"));
    let reports = [
        format!("json={json}"),
        format!("junit={junit}"),
        format!("html={html}"),
        format!("markdown={markdown}"),
    ];
    let mut arguments = vec!["--runs", "40", "--seed", "1", "--protocol", "buffering"];
    reports.iter().for_each(|report| arguments.extend(["--report", report]));
    let save = at("found");
    arguments.extend(["--save", &save]);
    arguments.extend(BROKEN);
    let output = explore(&arguments);
    Found { folder, output }
});

/// Runs a subcommand on a changed report.
fn verify(report: &Value) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("report.json");
    fs::write(&path, report.to_string()).unwrap();
    let output = Command::new(PROGRAM).arg("verify").arg(path).output().unwrap();
    (output.status.code(), out(&output) + &err(&output))
}

#[test]
fn a_failure_is_shown_with_its_scenario_and_the_commands_that_repeat_it() {
    assert_eq!(FOUND.output.status.code(), Some(1), "{}", err(&FOUND.output));
    let text = out(&FOUND.output);
    for part in [
        "1 violated requirement:",
        "(MUST, core) is violated: ",
        "curl -sS",
        "\"$ROUTER_",
        "    Feature: Journeys that exploration found",
        "    Then the model of the documents permits every exchange (",
        "the shortened journey fails ",
        "replay: cells-conformance explore --protocol buffering --journey ",
        "rerun: cells-conformance run --features ",
        "conclusion: not conformant",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    for (name, part) in [
        ("junit.xml", "Scenario: journey "),
        ("report.html", "The scenario as a feature file"),
        ("summary.md", "```gherkin\nFeature: "),
    ] {
        assert!(fs::read_to_string(FOUND.path(name)).unwrap().contains(part), "{name}");
    }
}

#[test]
fn a_saved_scenario_fails_on_the_same_router_and_passes_on_the_reference_router() {
    let run = |router: &[&str]| {
        let mut command = Command::new(PROGRAM);
        command.args(["run", "--features", &FOUND.path("found")]).args(router);
        command.output().unwrap()
    };
    let broken = run(&BROKEN);
    assert_eq!(broken.status.code(), Some(1), "{}{}", out(&broken), err(&broken));
    let reference = run(&["--reference"]);
    assert_eq!(reference.status.code(), Some(0), "{}{}", out(&reference), err(&reference));
    assert!(out(&reference).contains("conclusion: no failure"));
    let lint = Command::new(PROGRAM).args(["lint", &FOUND.path("found")]).output().unwrap();
    assert_eq!(lint.status.code(), Some(0), "{}", out(&lint));
}

#[test]
fn a_failure_is_replayed_from_its_own_seed() {
    let found = &FOUND.json()["exploration"]["found"][0];
    let seed = found["seed"].as_u64().unwrap().to_string();
    let mut arguments = vec!["--journey", &seed, "--protocol", "buffering"];
    arguments.extend(BROKEN);
    let output = explore(&arguments);
    assert_eq!(output.status.code(), Some(1), "{}", err(&output));
    assert!(out(&output).contains("found after 1 journey"), "{}", out(&output));
}

#[test]
fn the_record_of_an_exploration_is_judged_again() {
    let untouched = FOUND.json();
    let (code, text) = verify(&untouched);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("judged again: 1 scenario"), "{text}");
    let changed = |change: &dyn Fn(&mut Value)| {
        let mut report = untouched.clone();
        change(&mut report);
        verify(&report)
    };
    let passed = changed(&|report| {
        report["scenarios"][0]["outcome"]["word"] = "passed".into();
        report["scenarios"][0]["findings"] = Value::Array(Vec::new());
    });
    assert_eq!(passed.0, Some(1));
    assert!(passed.1.contains("recorded as passed, but failed follows"), "{}", passed.1);
    // The user received another response than the cell sent.
    let other = changed(&|report| {
        let responses = report["tables"]["responses"].as_array_mut().unwrap();
        responses.last_mut().unwrap()["status"] = 599.into();
    });
    assert_eq!(other.0, Some(1), "{}", other.1);
    let other_text = changed(&|report| {
        let text = report["features"]["files"][0]["text"].as_str().unwrap();
        let text = text.replace("a cold ", "a  cold ");
        report["features"]["files"][0]["text"] = text.into();
    });
    assert_eq!(other_text.0, Some(3), "{}", other_text.1);
    let fewer = changed(&|report| report["exploration"]["found"] = Value::Array(Vec::new()));
    assert!(fewer.1.contains("exploration did not find it"), "{}", fewer.1);
    let better = changed(&|report| report["conclusion"] = "no failure".into());
    assert!(better.1.contains("not conformant follows"), "{}", better.1);
}

#[test]
fn a_record_is_rendered_but_not_compared_or_merged() {
    let report = FOUND.path("report.json");
    let call = |arguments: &[&str]| Command::new(PROGRAM).args(arguments).output().unwrap();
    let again = format!("json={}", FOUND.path("again.json"));
    let rendered = call(&["render", &report, "--report", &again]);
    assert_eq!(rendered.status.code(), Some(0), "{}", err(&rendered));
    assert_eq!(
        fs::read_to_string(FOUND.path("again.json")).unwrap(),
        fs::read_to_string(&report).unwrap()
    );
    for (arguments, why) in [
        (vec!["compare", &report, &report], "the report of an exploration, which says nothing"),
        (vec!["merge", &report], "the record of an exploration, which is always whole"),
    ] {
        let output = call(&arguments);
        assert_eq!(output.status.code(), Some(2), "{}", err(&output));
        assert!(err(&output).contains(why), "{}", err(&output));
    }
}

#[test]
fn an_exploration_that_finds_nothing_claims_no_conformance() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("report.json");
    let json = format!("json={}", path.display());
    let output = explore(&["--reference", "--runs", "6", "--seed", "1", "--report", &json]);
    let text = out(&output);
    assert_eq!(output.status.code(), Some(0), "{text}{}", err(&output));
    let line = "no violation in 6 journeys (3 buffering, 3 learning); that proves no conformance";
    assert!(text.contains(line) && text.contains("conclusion: no failure"), "{text}");
    assert!(!text.contains("conclusion: conformant"), "{text}");
    let report: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    assert_eq!(report["exploration"]["journeys"]["learning"], 3);
    assert_eq!(report["scenarios"], Value::Array(Vec::new()));
    let (code, said) = verify(&report);
    assert_eq!(code, Some(0), "{said}");
}

#[test]
fn a_router_that_does_not_start_is_no_finding() {
    let output = explore(&["--runs", "50", "--protocol", "learning", "--", "false"]);
    assert_eq!(output.status.code(), Some(3), "{}{}", out(&output), err(&output));
    assert!(out(&output).contains("could not run"), "{}", out(&output));
    let missing = explore(&["--runs", "50", "--", "./no-such-router"]);
    let said = out(&missing) + &err(&missing);
    assert!(matches!(missing.status.code(), Some(2 | 3)), "{said}");
    assert!(said.contains("no-such-router"), "{said}");
}

#[test]
fn a_router_of_the_other_protocol_ends_the_exploration_at_once() {
    let refuses = ["--runs", "100000", "--protocol", "learning", "--", "sh", "-c", "exit 69"];
    let output = explore(&refuses);
    assert_eq!(output.status.code(), Some(3), "{}{}", out(&output), err(&output));
    let why = "ended early: the router does not follow the learning protocol";
    assert!((out(&output) + &err(&output)).contains(why), "{}{}", out(&output), err(&output));
}

#[test]
fn bad_input_is_refused_before_anything_runs() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let (file, weights) = (at("file"), at("weights.toml"));
    fs::write(&file, "").unwrap();
    let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/exploration.toml");
    fs::write(&weights, fs::read_to_string(shipped).unwrap() + "\nmistake = 1\n").unwrap();
    for (arguments, why) in [
        (vec!["--runs", "0"], "0 is not in 1.."),
        (vec!["--runs", "many"], "invalid digit"),
        (vec!["--for", "0s"], "expected a time above 0"),
        (vec!["--for", "soon"], "expected number"),
        (vec!["--runs", "5", "--for", "1s"], "cannot be used with"),
        (vec!["--runs", "5", "--exhaustive", "1"], "cannot be used with"),
        (vec!["--exhaustive", "0"], "1 or more"),
        (vec!["--exhaustive", "99"], "is too deep"),
        (vec!["--exhaustive", "1", "--journey", "99"], "there is no journey 99"),
        (vec!["--protocol", "guessing"], "buffering, learning"),
        (vec!["--jobs", "0"], "1 or more"),
        (vec!["--save", &file], "names a file: name a folder"),
        (vec!["--weights", &at("none.toml")], "cannot be read"),
        (vec!["--weights", &weights], "mistake"),
        (vec!["--report", "pdf=a.pdf"], "is not a form of a report"),
        (vec!["--report", &format!("json={file}/below.json")], "cannot be made"),
        (vec!["--"], "no command follows"),
    ] {
        let output = explore(&arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}\n{}", err(&output));
        assert!(err(&output).contains(why), "{arguments:?}\n{}", err(&output));
    }
}
