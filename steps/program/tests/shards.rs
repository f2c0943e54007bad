//! The program runs shards, merges them, runs again what failed, and fails on regressions.

use std::path::Path;
use std::process::{Command, Output};
use std::sync::LazyLock;

use conformance_suite::record::RunRecord;

/// A few quick scenarios.
const SELECTION: &str = "precedence";

/// Some more, of which a router that passes a cell's redirect on fails some.
const BROKEN_SELECTION: &str = "journeys::project_signed_in::*::a_*";
const BROKEN: [&str; 2] = ["broken", "passes-the-bounce-on"];

fn program() -> &'static str {
    env!("CARGO_BIN_EXE_cells-conformance")
}

fn call(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(program()).args(arguments).current_dir(folder).output().unwrap()
}

fn said(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    text(&output.stdout) + &text(&output.stderr)
}

/// Calls the program, and returns what it said; the exit code must be this.
#[track_caller]
fn expect(folder: &Path, code: i32, arguments: &[&str]) -> String {
    let output = call(folder, arguments);
    let said = said(&output);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
    said
}

fn read(path: &Path) -> RunRecord {
    RunRecord::from_json(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// What a record says of each scenario; times are left out.
fn outcomes(record: &RunRecord) -> Vec<(&str, &str, Vec<&str>)> {
    let cases = record.scenarios.iter().map(|case| {
        let found = case.findings.iter().map(|finding| finding.requirement.as_str()).collect();
        (case.name.as_str(), case.outcome.word.as_str(), found)
    });
    cases.collect()
}

/// Four shards of the selection, `shard-1.json` and so on, beside `whole.json`.
static SHARDS: LazyLock<tempfile::TempDir> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let mut started = Vec::new();
    for index in 1..=4 {
        let shard = Command::new(program())
            .args(["run", SELECTION, "--shard", &format!("{index}/4")])
            .arg(format!("--report=json=shard-{index}.json"))
            .arg(format!("--report=junit=shard-{index}.xml"))
            .args(["--jobs", &index.to_string()])
            .current_dir(path)
            .output();
        started.push(shard.unwrap());
    }
    for (shard, index) in started.iter().zip(1..) {
        assert_eq!(shard.status.code(), Some(0), "{}", said(shard));
        let line = format!("shard {index} of 4: no failure");
        assert!(said(shard).contains(&line), "{}", said(shard));
        assert!(!said(shard).contains("conformant ("), "{}", said(shard));
        let junit = std::fs::read_to_string(path.join(format!("shard-{index}.xml"))).unwrap();
        assert!(!junit.contains("<failure") && !junit.contains("<error"), "{junit}");
    }
    expect(path, 0, &["run", SELECTION, "--report", "json=whole.json"]);
    folder
});

const ALL: [&str; 4] = ["shard-1.json", "shard-2.json", "shard-3.json", "shard-4.json"];

#[test]
fn four_shards_merge_to_the_run_in_one_piece() {
    let folder = SHARDS.path();
    let out = tempfile::tempdir().unwrap();
    let merged = out.path().join("merged.json");
    let report = format!("json={}", merged.display());
    let arguments = [&["merge"][..], &ALL[..], &["--report", &report][..]].concat();
    let text = expect(folder, 0, &arguments);
    assert!(text.contains("4 records merged: conformant"), "{text}");
    let (merged_record, whole) = (read(&merged), read(&folder.join("whole.json")));
    assert_eq!(outcomes(&merged_record), outcomes(&whole));
    assert_eq!(merged_record.run.selection, whole.run.selection);
    assert_eq!(merged_record.profiles, whole.profiles);
    assert_eq!(merged_record.run.part, None);
    let merged = merged.to_str().unwrap();
    expect(folder, 0, &["verify", merged]);
    expect(folder, 0, &["compare", "whole.json", merged, "--fail-on", "regression"]);
}

#[test]
fn parts_that_do_not_fit_together_are_named() {
    let folder = SHARDS.path();
    let other = tempfile::tempdir().unwrap();
    let other = |name: &str, arguments: &[&str]| {
        let path = other.path().join(name);
        let report = format!("json={}", path.display());
        expect(folder, 0, &[&["run", "--report", &report][..], arguments].concat());
        path.to_str().unwrap().to_owned()
    };
    let seed = other("seed.json", &[SELECTION, "--shard", "2/4", "--seed", "1"]);
    let timed = other("timed.json", &[SELECTION, "--shard", "2/4", "--timings", "whole.json"]);
    let cut = other("cut.json", &[SELECTION, "--shard", "2/5"]);
    let [one, two, three, four] = ALL;
    for (parts, expected) in [
        (vec![one, three, four], vec!["shard 2 of 4 is missing"]),
        (vec![one, four], vec!["shards 2, 3 of 4 are missing"]),
        (vec![one, two, two, three, four], vec!["shard-2.json: shard 2 of 4, as shard-2.json is"]),
        (vec![one, &seed, three, four], vec!["the seed is 1, but "]),
        (vec![one, &timed, three, four], vec!["cut by the --timings with the digest"]),
        (
            vec![one, &cut, three, four],
            vec!["shard 2 of 5, but shard-1.json is shard 1 of 4", "shard 2 of 4 is missing"],
        ),
        (vec!["whole.json"], vec!["whole.json: the record of a whole run"]),
        (vec![one, "none.json", "no.json"], vec!["none.json cannot", "no.json cannot"]),
    ] {
        let text = expect(folder, 2, &[&["merge"][..], &parts[..]].concat());
        for part in expected {
            assert!(text.contains(part), "{parts:?}: {text}");
        }
    }
}

#[test]
fn a_wrong_shard_is_refused_and_an_empty_one_says_so() {
    let folder = SHARDS.path();
    for (shard, part) in [("0/8", "counted from 1"), ("9/8", "8/8"), ("x", "like 2/8")] {
        let text = expect(folder, 2, &["run", SELECTION, "--shard", shard]);
        assert!(text.contains(part), "{text}");
    }
    let text = expect(folder, 2, &["run", SELECTION, "--timings", "whole.json"]);
    assert!(text.contains("--shard"), "{text}");
    let text = expect(folder, 0, &["run", SELECTION, "--shard", "400/400"]);
    assert!(text.contains("shard 400 of 400: no failure: there are fewer scenarios"), "{text}");
}

#[test]
fn what_failed_is_run_again_and_regressions_fail() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let report = |name: &str| format!("--report=json={name}");
    let broken = [&["--", program()][..], &BROKEN[..]].concat();
    expect(folder, 0, &["run", BROKEN_SELECTION, "--seed", "7", &report("good.json")]);
    let run = ["run", BROKEN_SELECTION, "--seed", "7", &report("bad.json")];
    expect(folder, 1, &[&run[..], &broken].concat());
    let bad = read(&folder.join("bad.json"));
    let failed: Vec<_> =
        bad.scenarios.iter().filter(|case| case.outcome.word.as_str() == "failed").collect();
    assert!(!failed.is_empty() && failed.len() < bad.scenarios.len(), "{}", failed.len());

    // The scenarios that failed, with the seed of that run.
    expect(folder, 0, &["run", "--failed-from", "bad.json", &report("again.json")]);
    let again = read(&folder.join("again.json"));
    let names: Vec<_> = failed.iter().map(|case| &case.name).collect();
    assert_eq!(again.scenarios.iter().map(|case| &case.name).collect::<Vec<_>>(), names);
    assert_eq!(again.run.seed, 7);
    expect(folder, 0, &["verify", "again.json"]);
    // A filter selects among them.
    let one = ["run", names[0], "--failed-from", "bad.json", &report("one.json")];
    expect(folder, 0, &one);
    assert_eq!(read(&folder.join("one.json")).scenarios.len(), 1);
    let text = expect(folder, 2, &["run", SELECTION, "--failed-from", "bad.json"]);
    assert!(text.contains("that did not pass in bad.json is selected"), "{text}");
    let text = expect(folder, 2, &["run", "--failed-from", "good.json"]);
    assert!(text.contains("no scenario has to be run again"), "{text}");
    // A scenario of an older suite.
    let old = std::fs::read_to_string(folder.join("bad.json")).unwrap();
    std::fs::write(folder.join("old.json"), old.replace(names[0].as_str(), "gone::by")).unwrap();
    let text = expect(folder, 2, &["run", SELECTION, "--failed-from", "old.json"]);
    assert!(text.contains("unknown to this suite, first gone::by"), "{text}");

    let compare = |one, two| ["compare", one, two, "--only-changes", "--fail-on", "regression"];
    let text = expect(folder, 1, &compare("good.json", "bad.json"));
    let count = format!("regressions ({}):", names.len());
    assert!(text.contains(&count) && text.contains("passed -> failed ("), "{text}");
    let all = expect(folder, 0, &["compare", "good.json", "bad.json"]);
    assert!(text.lines().count() < all.lines().count(), "{text}");
    let text = expect(folder, 0, &compare("bad.json", "good.json"));
    assert!(text.contains(&format!("fixes ({}):", names.len())), "{text}");
    // Scenarios that passed are not in the second report.
    let text = expect(folder, 3, &compare("good.json", "again.json"));
    assert!(text.contains("the selection differs") && text.contains("gone ("), "{text}");
    let three = ["compare", "good.json", "bad.json", "good.json", "--fail-on", "regression"];
    assert!(expect(folder, 2, &three).contains("two reports"));
}
