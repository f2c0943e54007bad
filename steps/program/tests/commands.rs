//! The small commands as people use them: lint, list, steps, explain, cost, memory, privacy; and
//! scenarios of one's own.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn program(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cells-conformance"));
    command.current_dir(folder).args(arguments).output().unwrap()
}

/// Exit code, standard output and standard error.
fn run(folder: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = program(folder, arguments);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The scenario of the page about scenarios of one's own.
fn example() -> String {
    let page = std::fs::read_to_string(here().join("../../docs/own-scenarios.md")).unwrap();
    let (_, rest) = page.split_once("```gherkin\n").unwrap();
    rest.split_once("```").unwrap().0.to_owned()
}

/// A folder with a feature in `scenarios`, and a router file for the reference router.
fn folder(feature: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("scenarios")).unwrap();
    std::fs::write(folder.path().join("scenarios/sign_in.feature"), feature).unwrap();
    let program = env!("CARGO_BIN_EXE_cells-conformance");
    let text = format!(
        "name = \"r\"\ncommand = [\"{program}\", \"router\"]\nprotocols = [\"buffering\"]\n"
    );
    std::fs::write(folder.path().join("r.toml"), text).unwrap();
    folder
}

#[test]
fn the_example_of_the_page_is_linted_listed_run_and_verified() {
    let folder = folder(&example());
    let (code, out, _) = run(folder.path(), &["lint", "scenarios"]);
    assert_eq!((code, out.as_str()), (Some(0), "1 file, 1 scenario: 0 complaints\n"));

    let (_, out, _) = run(folder.path(), &["list", "--features", "scenarios", "--format", "json"]);
    let listed: Vec<Value> = serde_json::from_str(&out).unwrap();
    assert_eq!(listed[0]["name"], "own::sign_in::a_member_sees_a_private_project[buffering]");
    assert_eq!((&listed[0]["line"], listed.len()), (&Value::from(4), 2));

    let (code, out, err) =
        run(folder.path(), &["run", "--features", "scenarios", "--report", "json=r.json"]);
    assert_eq!(code, Some(0), "{out}{err}");
    assert!(out.contains("core: no failure (2 passed)"), "{out}");
    assert!(out.contains("conclusion: no failure") && !out.contains("conformant"), "{out}");

    // The report alone is enough, wherever the files are.
    std::fs::remove_dir_all(folder.path().join("scenarios")).unwrap();
    let (code, out, _) = run(folder.path(), &["verify", "r.json"]);
    assert_eq!(code, Some(0), "{out}");
    assert!(out.contains("judged again: 2 scenarios") && out.contains("not the suite's"), "{out}");
    let report = std::fs::read_to_string(folder.path().join("r.json")).unwrap();
    let changed = report.replace("a member sees", "a member saw");
    std::fs::write(folder.path().join("changed.json"), changed).unwrap();
    let (code, out, _) = run(folder.path(), &["verify", "changed.json"]);
    assert_eq!(code, Some(3), "{out}");
}

#[test]
fn shards_of_ones_own_scenarios_are_merged() {
    let folder = folder(&example());
    for shard in ["1/2", "2/2"] {
        let report = format!("json={}.json", &shard[..1]);
        let words = ["run", "--features", "scenarios", "--shard", shard, "--report", &report];
        let (code, _, err) = run(folder.path(), &words);
        assert_eq!(code, Some(0), "{err}");
    }
    let words = ["merge", "1.json", "2.json", "--report", "json=whole.json"];
    let (code, out, err) = run(folder.path(), &words);
    assert_eq!(code, Some(0), "{out}{err}");
    let (code, out, _) = run(folder.path(), &["verify", "whole.json"]);
    assert!(code == Some(0) && out.contains("judged again: 2 scenarios"), "{out}");
}

#[test]
fn a_failing_scenario_of_ones_own_says_where_it_is_and_can_be_a_known_failure() {
    let folder = folder(&example().replace("status 200", "status 404"));
    let words = ["run", "--features", "scenarios", "--router-file", "r.toml"];
    let (code, out, err) = run(folder.path(), &words);
    assert_eq!(code, Some(1), "{out}{err}");
    let all = format!("{out}{err}");
    assert!(all.contains("scenarios/sign_in.feature:4") && all.contains("--features scenarios"));

    let known = |pattern: &str| {
        format!("[[known_failure]]\nscenario = \"{pattern}\"\nreason = \"r\"\nlink = \"/1\"\n")
    };
    let file = std::fs::read_to_string(folder.path().join("r.toml")).unwrap();
    let write = |entries: &str| {
        std::fs::write(folder.path().join("r.toml"), format!("{file}{entries}")).unwrap();
    };
    // An entry about the suite's scenarios is not stale here, and one about these not there.
    write(&format!("{}{}", known("own::sign_in::*"), known("journeys::*")));
    let (code, out, err) = run(folder.path(), &words);
    assert_eq!(code, Some(0), "{out}{err}");
    write(&known("own::sign_in::*"));
    let one = "internal_redirect::an_internal_redirect_does_not_reach_the_user";
    let (code, out, err) = run(folder.path(), &["run", one, "--router-file", "r.toml"]);
    assert_eq!(code, Some(0), "{out}{err}");
    write(&known("own::sign_up::*"));
    let (code, _, err) = run(folder.path(), &words);
    assert!(code == Some(1) && err.contains("own::sign_up::*"), "{err}");
}

#[test]
fn a_complaint_names_file_and_line_and_keeps_the_files_from_running() {
    let folder = folder(&example().replace("signed in", "signed inn").replace("RT-08", "RT-99"));
    let (code, out, _) = run(folder.path(), &["lint", "scenarios"]);
    assert_eq!(code, Some(1));
    for part in [
        "scenarios/sign_in.feature:4: RT-99 is not in the ledger",
        "scenarios/sign_in.feature:6: `anna is signed inn`: no Given step is so worded; near: ",
        "2 complaints",
    ] {
        assert!(out.contains(part), "{part}\n{out}");
    }
    let (code, _, err) = run(folder.path(), &["run", "--features", "scenarios"]);
    assert!(code == Some(2) && err.contains("sign_in.feature:6"), "{err}");
    let (code, _, err) = run(folder.path(), &["lint", "nowhere"]);
    assert!(code == Some(2) && err.contains("nowhere cannot be read"), "{err}");
}

#[test]
fn tags_are_listed_with_counts_and_an_unknown_one_leads_there() {
    let (code, out, _) = run(here(), &["list", "--tags"]);
    assert_eq!(code, Some(0));
    let count = |tag: &str| {
        let line = out.lines().find(|line| line.split_whitespace().nth(1) == Some(tag));
        line.and_then(|line| line.split_whitespace().next()?.parse::<usize>().ok()).unwrap()
    };
    let (_, listed, _) = run(here(), &["list", "--tag", "doc:buffering/root"]);
    assert_eq!(count("doc:buffering/root"), listed.lines().count());
    assert!(count("doc:buffering") > count("doc:buffering/root"));
    let (code, _, err) = run(here(), &["list", "--tag", "nothing"]);
    assert!(code == Some(2) && err.contains("list --tags"), "{err}");
}

#[test]
fn decisions_are_explained_and_near_ids_suggested() {
    let (code, out, _) = run(here(), &["explain", "a-30"]);
    assert!(code == Some(0) && out.starts_with("A-30  decision: "), "{out}");
    let (code, _, err) = run(here(), &["explain", "A-99"]);
    assert!(code == Some(2) && err.contains("similar ids: A-"), "{err}");
}

#[test]
fn a_router_without_its_environment_says_what_is_missing() {
    for (words, part) in [
        (["broken", "always-502"], "CELLS_TOPOLOGY, CELLS_LISTEN, CELLS_REGION and CELLS_PROTOCOL"),
        (["router", ""], "CELLS_TOPOLOGY is not set"),
    ] {
        let words: Vec<_> = words.into_iter().filter(|word| !word.is_empty()).collect();
        let (code, _, err) = run(here(), &words);
        assert!(code == Some(2) && err.contains(part), "{err}");
    }
}

#[test]
fn measurements_respect_claims_and_blame_whom_they_should() {
    let folder = folder(&example());
    let (code, _, err) =
        run(folder.path(), &["memory", "--protocol", "learning", "--router-file", "r.toml"]);
    assert!(code == Some(2) && err.contains("claims buffering alone"), "{err}");
    let words = ["memory", "--mebibytes", "1", "--prefixes", "10", "--router-file", "r.toml"];
    let (code, out, _) = run(folder.path(), &words);
    assert!(code == Some(0) && out.contains("buffering") && !out.contains("learning"), "{out}");

    let (code, _, err) = run(folder.path(), &["memory", "--", "false"]);
    assert!(code == Some(1) && err.contains("the router is at fault: router_eu ended"), "{err}");
    assert!(!err.contains("suite"), "{err}");
    let (code, _, err) = run(folder.path(), &["privacy", "--", "./no-such-router"]);
    assert!(code == Some(3) && err.contains("could not be started"), "{err}");
    let (code, out, err) = run(folder.path(), &["privacy", "--delay-ms", "50"]);
    assert!(code == Some(2) && out.is_empty() && err.contains("longer than 100ms"), "{err}");
}

#[test]
fn a_router_is_soaked() {
    let folder = folder(&example());
    let words = ["soak", "--for", "6s", "--protocol", "buffering", "--router-file", "r.toml"];
    let (code, out, err) = run(folder.path(), &words);
    assert_eq!(code, Some(0), "{out}{err}");
    for line in ["buffering", "trouble           1 times", "wrong             0", "held after"] {
        assert!(out.contains(line), "no {line} in:\n{out}");
    }
    let (code, _, err) = run(folder.path(), &["soak", "--for", "soon", "--router-file", "r.toml"]);
    assert!(code == Some(2) && err.contains("--for"), "{err}");
}

#[test]
fn a_cost_is_measured_and_goes_into_a_report() {
    let folder = folder(&example());
    let (code, _, err) = run(folder.path(), &["cost", "--json", "-", "--router-file", "r.toml"]);
    assert!(code == Some(2) && err.contains("name a file"), "{err}");
    let words = ["cost", "--rounds", "1", "--seconds", "1", "--json", "cost.json"];
    let (code, out, err) =
        run(folder.path(), &[words.as_slice(), &["--router-file", "r.toml"]].concat());
    assert_eq!(code, Some(0), "{out}{err}");
    assert!(out.lines().all(|line| line.chars().count() <= 60), "{out}");
    let run_words = ["run", "--features", "scenarios", "--cost", "cost.json"];
    let more = ["--report", "json=r.json", "--router-file", "r.toml"];
    let (code, out, err) = run(folder.path(), &[run_words.as_slice(), &more].concat());
    assert_eq!(code, Some(0), "{out}{err}");
    let report: Value =
        serde_json::from_str(&std::fs::read_to_string(folder.path().join("r.json")).unwrap())
            .unwrap();
    let measurements = report["cost"]["measurements"].as_array().unwrap();
    assert_eq!(measurements.len(), 4);
    for one in measurements {
        assert_eq!((&one["protocol"], &one["failures"]), (&"buffering".into(), &0.into()));
        assert!(one["p50_us"]["ratio"]["median"].as_f64().unwrap() > 0.0, "{one}");
    }
    // The figures of one router say nothing about another.
    let (code, _, err) = run(folder.path(), &run_words);
    assert!(code == Some(2) && err.contains("has the cost of r"), "{err}");
    let (code, _, err) = run(folder.path(), &["cost", "--rounds", "1", "--", "false"]);
    assert!(code == Some(3) && err.contains("the router is at fault"), "{err}");
}

#[test]
fn steps_are_printed_for_people_programs_and_editors() {
    let (code, out, _) = run(here(), &["steps", "signed", "in"]);
    assert!(code == Some(0) && out.contains("Given {person} is signed in\n"), "{out}");
    let (_, out, _) = run(here(), &["steps", "--format", "json"]);
    let all: Value = serde_json::from_str(&out).unwrap();
    assert!(all["steps"].as_array().unwrap().len() > 100);
    let (_, out, _) = run(here(), &["steps", "--format", "glue"]);
    assert!(
        out.contains("defineParameterType({ name: 'region', regexp: /[A-Z]{2,8}/ });"),
        "{out}"
    );
    assert!(out.contains("Given(`a cold {region} router`, () => {});"), "{out}");
    let (code, _, err) = run(here(), &["steps", "no-such-word"]);
    assert!(code == Some(2) && err.contains("no step has the words"), "{err}");
}
