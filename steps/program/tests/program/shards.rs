//! The program runs shards, merges them, runs again what failed, and fails on regressions.

use conformance_suite::record::RunRecord;

use crate::call::{LAB, record, run_in, text};

const SELECTION: &str = "precedence";

/// Some more, of which a router that passes a cell's redirect on fails some.
const BROKEN_SELECTION: &str = "journeys::project_signed_in::*::a_*";
const BROKEN: [&str; 4] = ["--", LAB, "broken", "passes-the-bounce-on"];

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
    run_in(folder, &["run", SELECTION, "--report", "json=whole.json"]).with(0);
    let merge = [&["report", "merge"][..], &ALL, &["--report=json=merged.json"]].concat();
    run_in(folder, &merge).with(0).says("4 records merged: no failure in ");
    let (merged, whole) = (record(folder, "merged.json"), record(folder, "whole.json"));
    // What a record says of each scenario, without times.
    let outcomes = |record: &RunRecord| -> Vec<_> {
        record.scenarios.iter().map(|case| (case.name.clone(), case.outcome.word)).collect()
    };
    assert_eq!(outcomes(&merged), outcomes(&whole));
    assert_eq!(merged.run.selection, whole.run.selection);
    assert_eq!(merged.profiles, whole.profiles);
    assert_eq!(merged.run.part, None);
    run_in(folder, &["report", "verify", "merged.json"]).with(0);
    let compare = ["report", "compare", "whole.json", "merged.json", "--fail-on", "regression"];
    run_in(folder, &compare).with(0);
}

#[test]
fn what_failed_is_run_again_and_regressions_fail() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let report = |name: &str| format!("--report=json={name}");
    run_in(folder, &["run", BROKEN_SELECTION, "--seed", "7", &report("good.json")]).with(0);
    let run = ["run", BROKEN_SELECTION, "--seed", "7", &report("bad.json")];
    run_in(folder, &[&run[..], &BROKEN].concat()).with(1);
    let bad = record(folder, "bad.json");
    let failed: Vec<_> =
        bad.scenarios.iter().filter(|case| case.outcome.word.as_str() == "failed").collect();
    assert!(!failed.is_empty() && failed.len() < bad.scenarios.len(), "{}", failed.len());

    // The scenarios that failed, with the seed of that run.
    run_in(folder, &["run", "--failed-from", "bad.json", &report("again.json")]).with(0);
    let again = record(folder, "again.json");
    let names: Vec<_> = failed.iter().map(|case| &case.name).collect();
    assert_eq!(again.scenarios.iter().map(|case| &case.name).collect::<Vec<_>>(), names);
    assert_eq!(again.run.seed, 7);
    run_in(folder, &["report", "verify", "again.json"]).with(0);
    // A filter selects among them.
    let one = ["run", names[0], "--failed-from", "bad.json", &report("one.json")];
    run_in(folder, &one).with(0);
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
    let text = run_in(folder, &compare("good.json", "bad.json")).with(1).said();
    let count = format!("regressions ({}):", names.len());
    assert!(text.contains(&count) && text.contains("passed -> failed ("), "{text}");
    let all = run_in(folder, &["report", "compare", "good.json", "bad.json"]).with(0).said();
    assert!(text.lines().count() < all.lines().count(), "{text}");
    let text = run_in(folder, &compare("bad.json", "good.json")).with(0).said();
    assert!(text.contains(&format!("fixes ({}):", names.len())), "{text}");
    // Scenarios that passed are not in the second report.
    let text = run_in(folder, &compare("good.json", "again.json")).with(3).said();
    assert!(
        text.contains("the selection differs") && text.contains("not selected for the second"),
        "{text}"
    );
    let three =
        ["report", "compare", "good.json", "bad.json", "good.json", "--fail-on", "regression"];
    run_in(folder, &three).with(2).says("two reports");
}
