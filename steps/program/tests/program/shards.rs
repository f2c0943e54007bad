//! The program runs shards, merges them, runs again what failed, and fails on regressions.

use std::path::Path;

use conformance_suite::record::RunRecord;

use crate::call::{LAB, record, run_in, text};

/// A few quick scenarios.
const SELECTION: &str = "precedence";

/// Some more, of which a router that passes a cell's redirect on fails some.
const BROKEN_SELECTION: &str = "journeys::project_signed_in::*::a_*";
const BROKEN: [&str; 4] = ["--", LAB, "broken", "passes-the-bounce-on"];

/// Calls the program, and returns what it said; the exit code must be this.
#[track_caller]
fn expect(folder: &Path, code: i32, arguments: &[&str]) -> String {
    run_in(folder, arguments).with(code).said()
}

/// What a record says of each scenario; times are left out.
fn outcomes(record: &RunRecord) -> Vec<(&str, &str, Vec<&str>)> {
    let cases = record.scenarios.iter().map(|case| {
        let found = case.findings.iter().map(|finding| finding.requirement.as_str()).collect();
        (case.name.as_str(), case.outcome.word.as_str(), found)
    });
    cases.collect()
}

const ALL: [&str; 4] = ["shard-1.json", "shard-2.json", "shard-3.json", "shard-4.json"];

#[test]
fn four_shards_merge_to_the_run_in_one_piece() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for index in 1..=4 {
        let (part, jobs) = (format!("--shard={index}/4"), format!("--jobs={index}"));
        let reports = ["json", "xml"].map(|end| {
            let form = if end == "xml" { "junit" } else { end };
            format!("--report={form}=shard-{index}.{end}")
        });
        run_in(folder, &["run", SELECTION, &part, &jobs, &reports[0], &reports[1]])
            .with(0)
            .says(&format!("shard {index} of 4: no failure in "))
            .never(": conformant");
        let junit = text(folder, &format!("shard-{index}.xml"));
        assert!(!junit.contains("<failure") && !junit.contains("<error"), "{junit}");
    }
    expect(folder, 0, &["run", SELECTION, "--report", "json=whole.json"]);
    let merge = [&["report", "merge"][..], &ALL, &["--report=json=merged.json"]].concat();
    run_in(folder, &merge).with(0).says("4 records merged: no failure in ");
    let (merged, whole) = (record(folder, "merged.json"), record(folder, "whole.json"));
    assert_eq!(outcomes(&merged), outcomes(&whole));
    assert_eq!(merged.run.selection, whole.run.selection);
    assert_eq!(merged.profiles, whole.profiles);
    assert_eq!(merged.run.part, None);
    expect(folder, 0, &["report", "verify", "merged.json"]);
    let compare = ["report", "compare", "whole.json", "merged.json", "--fail-on", "regression"];
    expect(folder, 0, &compare);
}

#[test]
fn what_failed_is_run_again_and_regressions_fail() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let report = |name: &str| format!("--report=json={name}");
    expect(folder, 0, &["run", BROKEN_SELECTION, "--seed", "7", &report("good.json")]);
    let run = ["run", BROKEN_SELECTION, "--seed", "7", &report("bad.json")];
    expect(folder, 1, &[&run[..], &BROKEN].concat());
    let bad = record(folder, "bad.json");
    let failed: Vec<_> =
        bad.scenarios.iter().filter(|case| case.outcome.word.as_str() == "failed").collect();
    assert!(!failed.is_empty() && failed.len() < bad.scenarios.len(), "{}", failed.len());

    // The scenarios that failed, with the seed of that run.
    expect(folder, 0, &["run", "--failed-from", "bad.json", &report("again.json")]);
    let again = record(folder, "again.json");
    let names: Vec<_> = failed.iter().map(|case| &case.name).collect();
    assert_eq!(again.scenarios.iter().map(|case| &case.name).collect::<Vec<_>>(), names);
    assert_eq!(again.run.seed, 7);
    expect(folder, 0, &["report", "verify", "again.json"]);
    // A filter selects among them.
    let one = ["run", names[0], "--failed-from", "bad.json", &report("one.json")];
    expect(folder, 0, &one);
    assert_eq!(record(folder, "one.json").scenarios.len(), 1);
    run_in(folder, &["run", SELECTION, "--failed-from", "bad.json"])
        .with(2)
        .says("that did not pass in bad.json is selected");
    run_in(folder, &["run", "--failed-from", "good.json"])
        .with(2)
        .says("no scenario has to be run again");
    // A scenario of an older suite.
    let old = text(folder, "bad.json").replace(names[0].as_str(), "gone::by");
    std::fs::write(folder.join("old.json"), old).unwrap();
    run_in(folder, &["run", SELECTION, "--failed-from", "old.json"])
        .with(2)
        .says("unknown to this suite, first gone::by");

    let compare =
        |one, two| ["report", "compare", one, two, "--only-changes", "--fail-on", "regression"];
    let text = expect(folder, 1, &compare("good.json", "bad.json"));
    let count = format!("regressions ({}):", names.len());
    assert!(text.contains(&count) && text.contains("passed -> failed ("), "{text}");
    let all = expect(folder, 0, &["report", "compare", "good.json", "bad.json"]);
    assert!(text.lines().count() < all.lines().count(), "{text}");
    let text = expect(folder, 0, &compare("bad.json", "good.json"));
    assert!(text.contains(&format!("fixes ({}):", names.len())), "{text}");
    // Scenarios that passed are not in the second report.
    let text = expect(folder, 3, &compare("good.json", "again.json"));
    assert!(
        text.contains("the selection differs") && text.contains("not selected for the second"),
        "{text}"
    );
    let three =
        ["report", "compare", "good.json", "bad.json", "good.json", "--fail-on", "regression"];
    assert!(expect(folder, 2, &three).contains("two reports"));
}
