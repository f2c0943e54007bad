//! `explore` as a program: what it finds, writes, saves and refuses.

use std::path::Path;
use std::sync::LazyLock;

use serde_json::{Value, json};

use crate::call::{self, Ended, LAB, at, run, run_in, text, verify};

/// A router that asks the learn endpoint too: every request of buffering shows it, whatever cell is
/// picked.
const BROKEN: [&str; 4] = ["--", LAB, "broken", "asks-the-learn-endpoint-too"];

fn explore(arguments: &[&str]) -> Ended {
    run(&[&["explore"], arguments].concat())
}

/// What an exploration of the broken router left.
fn found() -> &'static Path {
    static FOUND: LazyLock<tempfile::TempDir> = LazyLock::new(|| {
        let folder = tempfile::tempdir().unwrap();
        let options = ["explore", "--runs=40", "--seed=1", "--protocol=buffering", "--save=found"];
        let report = ["--report=json=report.json"];
        run_in(folder.path(), &[&options[..], &report, &BROKEN].concat())
            .with(1)
            .out("replay: cells-conformance explore --protocol buffering --journey ")
            .out("rerun: cells-conformance run --features ");
        folder
    });
    FOUND.path()
}

#[test]
fn a_saved_scenario_fails_on_the_same_router_and_passes_on_the_reference_router() {
    let saved = ["run", "--features", "found"];
    run_in(found(), &[&saved[..], &BROKEN].concat()).with(1);
    run_in(found(), &[&saved[..], &["--reference"]].concat()).with(0).out("conclusion: no failure");
    run_in(found(), &["lint", "found"]).with(0);
}

#[test]
fn two_routers_are_compared_by_what_users_and_cells_see() {
    let folder = tempfile::tempdir().unwrap();
    let against = |router: &str, protocols: &[&str], code: i32| {
        let (command, protocols) = (json!([LAB, "broken", router]), json!(protocols));
        let text = format!("name = \"other\"\ncommand = {command}\nprotocols = {protocols}\n");
        std::fs::write(folder.path().join("other.toml"), text).unwrap();
        let options = ["explore", "--reference", "--against=other.toml", "--runs=40", "--seed=1"];
        run_in(folder.path(), &options).with(code)
    };
    against("plain", &["buffering", "learning"], 0).out("0 differences");
    // The root needs no pre-flight, and may have one.
    against("asks-about-the-root", &["learning"], 0)
        .out("1 difference;")
        .out("DIFFERENCE 1: the pre-flight, in ")
        .out("reference router: nothing to tell")
        .out("other: sent with")
        .out(" \"/\"");
    against("asks-the-learn-endpoint-too", &["buffering"], 1).out("other violates BF-01; ");
}

#[test]
fn the_time_bounds_shortening_too() {
    let folder = tempfile::tempdir().unwrap();
    let slow = "sleep 1; exec \"$0\" broken asks-the-learn-endpoint-too";
    let options = ["explore", "--for=4s", "--seed=1", "--protocol=buffering", "--keep-going"];
    let report = ["--report=json=report.json", "--", "sh", "-c", slow, LAB];
    let ended = run_in(folder.path(), &[&options[..], &report].concat());
    let report = call::json(folder.path(), "report.json");
    // The shortening of one failure alone would take half a minute with a router that starts so
    // slowly.
    let took = report["run"]["took_ms"].as_u64().unwrap();
    assert!(took < 25_000, "{took} ms");
    // On a machine that is busy no journey may end in time.
    match report["exploration"]["found"].get(0) {
        Some(found) => {
            ended.with(1).out("is violated");
            assert!(found["budget_ms"].as_u64().unwrap() <= 2_000, "{found}");
        }
        None => _ = ended.with(3),
    }
    verify(&report).with(0);
}

#[test]
fn a_run_explores_as_well_and_one_record_has_both() {
    let folder = tempfile::tempdir().unwrap();
    let run = |router: &[&str]| {
        let options = ["run", "*a_request_under_buffering*", "--explore=20s", "--seed=1"];
        let reports = ["--report=json=report.json", "--report=html=report.html"];
        run_in(folder.path(), &[&options[..], &reports, router].concat())
    };
    run(&["--reference"]).with(0).out("explored in addition to the scenarios: no violation in ");
    let report = call::json(folder.path(), "report.json");
    assert!(report["exploration"].is_null() && report["features"].is_null());
    assert!(report["explored"]["exploration"]["journeys"]["learning"].as_u64() > Some(0));
    verify(&report).with(0);
    assert!(text(folder.path(), "report.html").contains("What was met"));
    // The scenarios that were selected pass with this router; what exploration finds counts.
    let broken = ["--", LAB, "broken", "passes-the-bounce-on"];
    run(&broken)
        .with(1)
        .out("conclusion: not conformant")
        .out("cells-conformance explore --protocol buffering --journey ");
    let report = call::json(folder.path(), "report.json");
    assert!(report["explored"]["exploration"]["found"].as_array().is_some_and(|it| !it.is_empty()));
    verify(&report).with(0);
}

#[test]
fn what_is_known_to_be_violated_is_left_out_and_said() {
    let folder = tempfile::tempdir().unwrap();
    let routers = json!([LAB, "broken", "asks-the-learn-endpoint-too"]);
    let file = |known: &str| {
        let text =
            format!("name = \"r\"\ncommand = {routers}\nprotocols = [\"buffering\"]\n{known}");
        std::fs::write(folder.path().join("router.toml"), text).unwrap();
    };
    let options = ["explore", "--runs=10", "--seed=1", "--report=json=report.json"];
    let explore = |more: &[&str]| run_in(folder.path(), &[&options[..], more].concat());
    file("");
    explore(&[]).with(1).out("BF-01 (MUST, core) is violated");
    explore(&["--except", "BF-01", "--except", "Z-75"])
        .with(0)
        .out("left out: BF-01 (`--except`, violated in ")
        .out("Z-75 (`--except`, violated in ")
        .out("conclusion: no failure");
    let report = call::json(folder.path(), "report.json");
    let left_out = &report["exploration"]["left_out"][0];
    assert_eq!((&left_out["requirement"], &left_out["by"]), (&json!("BF-01"), &json!("except")));
    assert!(left_out["journeys"].as_u64() > Some(0), "{left_out}");
    verify(&report).with(0);
    // The router file lists scenarios, and they are about requirements.
    let name = "*::a_request_under_buffering_goes_to_a_cell_at_once";
    file(&format!("[[known_failure]]\nscenario = \"{name}\"\nreason = \"issue 1\"\n"));
    explore(&["--except", "Z-75"]).with(0).out("BF-01 in buffering (a known failure, violated in ");
    explore(&["--except", "Z-999"]).with(2).err("names no requirement");
}

#[test]
fn a_failure_is_replayed_from_its_own_seed() {
    let one = &call::json(found(), "report.json")["exploration"]["found"][0];
    let seed = one["seed"].to_string();
    explore(&[&["--journey", &seed, "--protocol", "buffering"], &BROKEN[..]].concat())
        .with(1)
        .out("found after 1 journey");
}

#[test]
fn the_record_of_an_exploration_is_judged_again() {
    let untouched = call::json(found(), "report.json");
    verify(&untouched).with(0).out("judged again: 1 scenario");
    let changed = |change: &dyn Fn(&mut Value)| {
        let mut report = untouched.clone();
        change(&mut report);
        verify(&report)
    };
    changed(&|report| {
        report["scenarios"][0]["outcome"]["word"] = json!("passed");
        report["scenarios"][0]["findings"] = json!([]);
    })
    .with(1)
    .says("recorded as passed, but failed follows");
    changed(&|report| report["exploration"]["found"] = json!([]))
        .says("exploration did not find it");
    changed(&|report| report["exploration"]["found"][0]["requirement"] = json!("Z-13"))
        .says("was found to violate Z-13, which no finding in the report says");
    changed(&|report| report["conclusion"] = json!("no failure")).says("not conformant follows");
}

#[test]
fn a_record_is_rendered_but_not_compared_or_merged() {
    let folder = tempfile::tempdir().unwrap();
    let report = at(found(), "report.json");
    run_in(folder.path(), &["report", "render", &report, "--report", "json=again.json"]).with(0);
    assert_eq!(text(folder.path(), "again.json"), text(found(), "report.json"));
    run(&["report", "compare", &report, &report])
        .with(2)
        .err("the report of an exploration, which says nothing");
    run(&["report", "merge", &report])
        .with(2)
        .err("the record of an exploration, which is always whole");
}

#[test]
fn an_exploration_that_finds_nothing_claims_no_conformance() {
    let folder = tempfile::tempdir().unwrap();
    // From a fixed seed, with enough journeys to show something.
    let options = ["--reference", "--runs=120", "--seed=1", "--report=json=report.json"];
    run_in(folder.path(), &[&["explore"], &options[..]].concat())
        .with(0)
        .out("no violation in 120 journeys (60 buffering, 60 learning); that proves no conformance")
        .out("conclusion: no failure")
        .never("conclusion: conformant")
        .never("could not be judged");
    let report = call::json(folder.path(), "report.json");
    assert_eq!(report["exploration"]["journeys"]["learning"], 60);
    assert_eq!(report["scenarios"], json!([]));
    verify(&report).with(0);
}

#[test]
fn a_router_that_does_not_start_is_no_finding() {
    explore(&["--runs", "50", "--protocol", "learning", "--", "false"])
        .with(3)
        .out("could not run");
    let missing = explore(&["--runs", "50", "--", "./no-such-router"]);
    missing.with(3).says("no-such-router");
}

#[test]
fn a_router_of_the_other_protocol_ends_the_exploration_at_once() {
    explore(&["--runs", "100000", "--protocol", "learning", "--", "sh", "-c", "exit 69"])
        .with(3)
        .says("ended early: the router does not follow the learning protocol");
}

#[test]
fn bad_input_is_refused_before_anything_runs() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| at(folder.path(), name);
    let file = at("file");
    std::fs::write(&file, "").unwrap();
    for (arguments, why) in [
        (vec!["--for", "0s"], "expected a time above 0"),
        (vec!["--protocol", "guessing"], "buffering, learning"),
        (vec!["--save", &file], "names a file: name a folder"),
        (vec!["--report", "pdf=a.pdf"], "is not a form of a report"),
        (vec!["--report", &format!("json={file}/below.json")], "cannot be made"),
        (vec!["--"], "no command follows"),
    ] {
        explore(&arguments).with(2).err(why);
    }
}
