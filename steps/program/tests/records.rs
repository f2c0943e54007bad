//! Records that test programs write from many processes, and the report that joins them.
//!
//! This target is two programs: the tests, and the test program that they start, as cargo nextest
//! starts one for each scenario.

use std::path::Path;
use std::process::{Child, Command, ExitCode, Stdio};

use conformance_suite::engine::Conclusion;
use conformance_suite::harness::{Harness, REFERENCE_CLAIMS};
use conformance_suite::ledger::Profile;
use conformance_suite::record::RunRecord;
use libtest_mimic::{Arguments, Trial};

use call::{Ended, LAB, PROGRAM, record, run_in, until};

#[expect(dead_code, reason = "the tests of `program` call the rest")]
#[path = "program/call.rs"]
mod call;

/// Set for the test program: the words of the router's command.
const ROUTER: &str = "TEST_OF_RECORDS_ROUTER";

/// Scenarios that are run here: a few, of both protocols.
const SELECTION: &str = "journeys::project_signed_in::";

fn main() -> ExitCode {
    if let Ok(router) = std::env::var(ROUTER) {
        let mut words = router.split_whitespace();
        return Harness::of_command(words.next().unwrap_or_default(), words)
            .claiming(REFERENCE_CLAIMS)
            .main();
    }
    let trials: [(&str, fn()); 4] = [
        ("records_of_many_processes_make_one_report", many_processes),
        ("records_of_partitions_are_merged", partitions),
        ("records_of_one_process_make_one_report", one_process),
        ("a_killed_process_leaves_an_incomplete_record", killed),
    ];
    let trial = |(name, test): (&str, fn())| {
        Trial::test(name, move || {
            test();
            Ok(())
        })
    };
    let trials = trials.into_iter().map(trial).collect();
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

/// The test program for a router, which leaves records in a folder.
fn test_program(router: &str, folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("this program has a path"));
    command.args(arguments).env(ROUTER, router).env("CELLS_RECORD_DIR", folder);
    command.env_remove("NEXTEST").stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn reference() -> String {
    format!("{PROGRAM} router")
}

fn broken() -> String {
    format!("{LAB} broken always-502")
}

/// Starts a process for one scenario, as nextest does.
fn start_one(router: &str, folder: &Path, name: &str) -> Child {
    let mut command = test_program(router, folder, &["--exact", name, "--nocapture"]);
    command.env("NEXTEST", "1").spawn().unwrap()
}

fn run_one(router: &str, folder: &Path, name: &str) -> Ended {
    start_one(router, folder, name).wait_with_output().unwrap().into()
}

/// The names of the selected scenarios, as the test program lists them.
fn names(folder: &Path) -> Vec<String> {
    let listed = call::call(&mut test_program(&reference(), folder, &["--list", SELECTION]));
    let names = listed.out.lines().filter_map(|line| line.strip_suffix(": test"));
    names.map(str::to_owned).take(12).collect()
}

/// Renders what a folder holds; the report is in the other folder.
fn rendered(records: &Path) -> (RunRecord, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let reports = ["--report=json=report.json", "--report=junit=junit.xml"];
    let words = ["report", "render", records.to_str().unwrap(), reports[0], reports[1]];
    run_in(folder.path(), &words).with(0);
    (record(folder.path(), "report.json"), folder)
}

fn many_processes() {
    let folder = tempfile::tempdir().unwrap();
    let records = folder.path().join("records");
    let names = names(&records);
    assert!(names.len() > 3, "{names:?}");
    let started: Vec<_> =
        names.iter().map(|name| start_one(&reference(), &records, name)).collect();
    for process in started {
        Ended::from(process.wait_with_output().unwrap()).with(0);
    }
    let (record, written) = rendered(&records);
    let part = format!("no failure in {} of ", names.len());
    assert!(record.conclusion.to_string().starts_with(&part), "{}", record.conclusion);
    assert_eq!(record.exit_code, 0);
    assert_eq!((record.scenarios.len(), record.run.selection.len()), (names.len(), names.len()));
    assert!(written.path().join("junit.xml").exists());
    for subject in ["report.json", records.to_str().unwrap()] {
        run_in(written.path(), &["report", "verify", subject]).with(0);
    }
}

/// Two folders, as two machines with `cargo nextest run --partition` leave them.
fn partitions() {
    let folder = tempfile::tempdir().unwrap();
    let (one, two) = (folder.path().join("one"), folder.path().join("two"));
    let names = names(&one);
    for (name, at) in names.iter().take(4).zip(0..) {
        run_one(&reference(), if at % 2 == 0 { &one } else { &two }, name).with(0);
    }
    let filters: Vec<_> = names.iter().take(4).map(|name| format!("--filter={name}")).collect();
    let filters: Vec<_> = filters.iter().map(String::as_str).collect();
    let merge = |folders: &[&str]| {
        run_in(folder.path(), &[&["report", "merge"], folders, &filters].concat())
    };
    merge(&["one", "two"]).with(0).err("4 records merged: no failure in 4 of ");
    merge(&["one"]).with(2).err(&format!("{} stands in no record", names[1]));
    merge(&["one", "two", "one"]).with(2).err(&format!("{} stands in ", names[0]));
}

fn one_process() {
    let folder = tempfile::tempdir().unwrap();
    let words = [SELECTION, "--test-threads=4"];
    call::call(&mut test_program(&broken(), folder.path(), &words)).with(101);
    let (record, _written) = rendered(folder.path());
    assert_eq!((record.conclusion, record.exit_code), (Conclusion::NotConformant, 1));
    let core = record.profiles.iter().find(|profile| profile.profile == Profile::Core);
    assert_eq!(core.map(|core| core.verdict), Some(Conclusion::NotConformant));
}

fn killed() {
    let folder = tempfile::tempdir().unwrap();
    let names = names(folder.path());
    // A router that never becomes ready, and exits by itself some time after its killed parent.
    let mut process = start_one("sleep 15", folder.path(), &names[0]);
    let is_record = |entry: std::io::Result<std::fs::DirEntry>| {
        entry.unwrap().path().extension().is_some_and(|extension| extension == "json")
    };
    until("there is a record", || std::fs::read_dir(folder.path()).unwrap().any(is_record));
    process.kill().unwrap();
    process.wait().unwrap();
    let (record, _written) = rendered(folder.path());
    let reason = record.scenarios[0].outcome.reason.as_deref().unwrap_or_default();
    assert_eq!((record.conclusion, record.exit_code), (Conclusion::Incomplete, 3));
    assert!(reason.contains("ended before the scenario did"), "{reason}");
}
