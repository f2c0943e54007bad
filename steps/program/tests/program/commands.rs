//! The small commands as people use them: lint, list, measure; and custom scenarios.

use serde_json::Value;

use crate::call::{known_failure, router_file, run, run_in, text};

/// The scenario of the section about custom scenarios.
fn example() -> String {
    let page = include_str!("../../../../docs/getting-started.md");
    let (_, rest) = page.split_once("```gherkin\n").unwrap();
    rest.split_once("```").unwrap().0.to_owned()
}

/// A folder with a feature in `scenarios`, and a router file for the reference router.
fn folder(feature: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("scenarios")).unwrap();
    std::fs::write(folder.path().join("scenarios/sign_in.feature"), feature).unwrap();
    let file = router_file(folder.path(), "\"router\"", "");
    // Not the file of the folder, which is taken without being asked for.
    std::fs::rename(file, folder.path().join("r.toml")).unwrap();
    folder
}

#[test]
fn the_example_of_the_page_is_linted_listed_run_and_verified() {
    let folder = folder(&example());
    let folder = folder.path();
    let linted = run_in(folder, &["lint", "scenarios"]).with(0);
    assert_eq!(linted.out, "1 file, 1 scenario: 0 complaints\n");

    let listed = run_in(folder, &["list", "--features", "scenarios", "--format", "json"]);
    let listed: Vec<Value> = serde_json::from_str(&listed.out).unwrap();
    assert_eq!(listed[0]["name"], "own::sign_in::a_member_sees_a_private_project[buffering]");
    assert_eq!((&listed[0]["line"], listed.len()), (&Value::from(4), 2));

    run_in(folder, &["run", "--features", "scenarios", "--report", "json=r.json"])
        .with(0)
        .out("core: no failure (2 passed)")
        .out("conclusion: no failure in 2 custom scenarios")
        .never("conformant");

    // The report alone is enough, wherever the files are.
    std::fs::remove_dir_all(folder.join("scenarios")).unwrap();
    run_in(folder, &["report", "verify", "r.json"])
        .with(0)
        .out("judged again: 2 scenarios")
        .out("not the suite's");
    let changed = text(folder, "r.json").replace("a member sees", "a member saw");
    std::fs::write(folder.join("changed.json"), changed).unwrap();
    run_in(folder, &["report", "verify", "changed.json"]).with(3);
}

#[test]
fn shards_of_custom_scenarios_are_merged() {
    let folder = folder(&example());
    let folder = folder.path();
    for shard in ["1/2", "2/2"] {
        let report = format!("json={}.json", &shard[..1]);
        let words = ["run", "--features", "scenarios", "--shard", shard, "--report", &report];
        run_in(folder, &words).with(0);
    }
    run_in(folder, &["report", "merge", "1.json", "2.json", "--report", "json=whole.json"]).with(0);
    run_in(folder, &["report", "verify", "whole.json"]).with(0).out("judged again: 2 scenarios");
}

#[test]
fn a_failing_custom_scenario_says_where_it_is_and_can_be_a_known_failure() {
    let folder = folder(&example().replace("status 200", "status 404"));
    let folder = folder.path();
    let words = ["run", "--features", "scenarios", "--router-file", "r.toml"];
    run_in(folder, &words).with(1).says("scenarios/sign_in.feature:4").says("--features scenarios");

    let file = text(folder, "r.toml");
    let write = |entries: &[&str]| {
        let entries: String = entries.iter().map(|scenario| known_failure(scenario)).collect();
        std::fs::write(folder.join("r.toml"), format!("{file}{entries}")).unwrap();
    };
    // An entry about the suite's scenarios is not stale here, and one about these not there.
    write(&["own::sign_in::*", "journeys::*"]);
    run_in(folder, &words).with(0);
    write(&["own::sign_in::*"]);
    let one = "internal_redirect::an_internal_redirect_does_not_reach_the_user";
    run_in(folder, &["run", one, "--router-file", "r.toml"]).with(0);
    write(&["own::sign_up::*"]);
    run_in(folder, &words).with(1).out("own::sign_up::*");
}

#[test]
fn a_complaint_names_file_and_line_and_keeps_the_files_from_running() {
    let folder = folder(&example().replace("signed in", "signed inn").replace("RT-08", "RT-99"));
    let folder = folder.path();
    run_in(folder, &["lint", "scenarios"])
        .with(1)
        .out("scenarios/sign_in.feature:4: RT-99 is not in the ledger")
        .out(
            "scenarios/sign_in.feature:6: `anna is signed inn`: no Given step is so worded; near: ",
        )
        .out("2 complaints");
    run_in(folder, &["run", "--features", "scenarios"]).with(2).err("sign_in.feature:6");
    run_in(folder, &["lint", "nowhere"]).with(2).err("nowhere cannot be read");
}

#[test]
fn a_router_without_its_environment_says_what_is_missing() {
    run(&["cells-lab", "broken", "always-502"])
        .with(2)
        .err("CELLS_TOPOLOGY, CELLS_LISTEN, CELLS_REGION, CELLS_PROTOCOL");
    run(&["router"]).with(2).err("CELLS_TOPOLOGY is not set");
}

#[test]
fn measurements_respect_claims_and_blame_whom_they_should() {
    let folder = folder(&example());
    let run = |words: &[&str]| run_in(folder.path(), words);
    run(&["measure", "memory", "--protocol", "learning", "--router-file", "r.toml"])
        .with(2)
        .err("claims buffering alone");
    let words =
        ["measure", "memory", "--mebibytes", "1", "--prefixes", "10", "--router-file", "r.toml"];
    let measured = run(&words).with(0).out("buffering").out;
    assert!(!measured.contains("learning"), "{measured}");
    let blamed = run(&["measure", "memory", "--", "false"]).with(1);
    let blamed = blamed.err("the router is at fault: router_eu ended").err;
    assert!(!blamed.contains("suite"), "{blamed}");
    run(&["measure", "privacy", "--", "./no-such-router"]).with(3).err("could not be started");
    let refused = run(&["measure", "privacy", "--delay-ms", "50"]).with(2).err("longer than 100ms");
    assert_eq!(refused.out, "");
}

#[test]
fn a_router_is_soaked() {
    let folder = folder(&example());
    let soak = |time: &str| {
        let words = ["measure", "soak", "--protocol=buffering", "--router-file=r.toml"];
        run_in(folder.path(), &[&words[..], &["--for", time]].concat())
    };
    soak("6s")
        .with(0)
        .out("buffering")
        .out("trouble           1 times")
        .out("wrong             0")
        .out("held after");
    soak("soon").with(2).err("--for");
}
