//! Records that test programs write from many processes, and the report that joins them.
//!
//! This target is two programs: the tests, and the test program that they start, as cargo nextest
//! starts one for each scenario.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Output, Stdio};
use std::time::{Duration, Instant};

use conformance_suite::harness::{Harness, REFERENCE_CLAIMS};
use conformance_suite::record::RunRecord;
use libtest_mimic::{Arguments, Failed, Trial};

const PROGRAM: &str = env!("CARGO_BIN_EXE_cells-conformance");

/// Set for the test program: the words of the router's command.
const ROUTER: &str = "TEST_OF_RECORDS_ROUTER";

/// Scenarios that are run here: a few, of both protocols.
const SELECTION: &str = "journeys::project_signed_in::";

/// Limit of every wait; only a failing test reaches it.
const LIMIT: Duration = Duration::from_secs(60);

fn main() -> ExitCode {
    if let Ok(router) = std::env::var(ROUTER) {
        let mut words = router.split_whitespace();
        return Harness::of_command(words.next().unwrap_or_default(), words)
            .claiming(REFERENCE_CLAIMS)
            .main();
    }
    let trials = vec![
        Trial::test("records_of_many_processes_make_one_report", many_processes),
        Trial::test("records_of_partitions_are_merged", partitions),
        Trial::test("records_of_one_process_make_one_report", one_process),
        Trial::test("records_of_two_runs_or_routers_are_not_joined", misfits),
        Trial::test("a_killed_process_leaves_an_incomplete_record", killed),
        Trial::test("a_folder_that_cannot_be_used_is_an_error", unusable),
    ];
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

/// Starts a process for one scenario, as nextest does.
fn start_one(router: &str, folder: &Path, name: &str) -> Result<Child, Failed> {
    let mut command = test_program(router, folder, &["--exact", name, "--nocapture"]);
    Ok(command.env("NEXTEST", "1").spawn()?)
}

/// The names of the selected scenarios, as the test program lists them.
fn names(folder: &Path) -> Result<Vec<String>, Failed> {
    let listed = test_program(&reference(), folder, &["--list", SELECTION]).output()?;
    let text = String::from_utf8(listed.stdout)?;
    let names = text.lines().filter_map(|line| line.strip_suffix(": test"));
    Ok(names.map(str::to_owned).take(12).collect())
}

fn call(subcommand: &str, arguments: &[&Path]) -> Result<Output, Failed> {
    Ok(Command::new(PROGRAM).arg(subcommand).args(arguments).output()?)
}

/// Renders what a folder holds.
fn render(records: &Path) -> Result<(Output, PathBuf, tempfile::TempDir), Failed> {
    let folder = tempfile::tempdir()?;
    let (json, junit) = (folder.path().join("report.json"), folder.path().join("junit.xml"));
    let output = Command::new(PROGRAM)
        .arg("render")
        .arg(records)
        .arg(format!("--report=json={}", json.display()))
        .arg(format!("--report=junit={}", junit.display()))
        .output()?;
    Ok((output, json, folder))
}

fn read(path: &Path) -> Result<RunRecord, Failed> {
    Ok(RunRecord::from_json(&std::fs::read_to_string(path)?)?)
}

fn check(holds: bool, what: impl std::fmt::Debug) -> Result<(), Failed> {
    if holds { Ok(()) } else { Err(format!("{what:?}").into()) }
}

fn many_processes() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let records = folder.path().join("records");
    let names = names(&records)?;
    check(names.len() > 3, &names)?;
    let started: Result<Vec<_>, _> =
        names.iter().map(|name| start_one(&reference(), &records, name)).collect();
    for process in started? {
        let output = process.wait_with_output()?;
        check(output.status.success(), &output)?;
    }
    let (output, json, written) = render(&records)?;
    check(output.status.success(), &output)?;
    let record = read(&json)?;
    check(
        record.conclusion.to_string() == "conformant" && record.exit_code == 0,
        &record.complaints,
    )?;
    check(record.scenarios.len() == names.len(), record.scenarios.len())?;
    check(record.run.selection.len() == names.len(), &record.run.selection)?;
    check(written.path().join("junit.xml").exists(), "no JUnit report")?;
    for subject in [json.as_path(), &records] {
        let verified = call("verify", &[subject])?;
        check(verified.status.success(), &verified)?;
    }
    Ok(())
}

/// Two folders, as two machines with `cargo nextest run --partition` leave them.
fn partitions() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let (one, two) = (folder.path().join("one"), folder.path().join("two"));
    let names = names(&one)?;
    for (name, at) in names.iter().take(4).zip(0..) {
        let records = if at % 2 == 0 { &one } else { &two };
        let output = start_one(&reference(), records, name)?.wait_with_output()?;
        check(output.status.success(), &output)?;
    }
    let filters: Vec<_> = names.iter().take(4).map(|name| format!("--filter={name}")).collect();
    let merge = |folders: &[&Path]| -> Result<(Option<i32>, String), Failed> {
        let output = Command::new(PROGRAM).arg("merge").args(folders).args(&filters).output()?;
        Ok((output.status.code(), String::from_utf8(output.stderr)?))
    };
    let (code, text) = merge(&[&one, &two])?;
    check(code == Some(0) && text.contains("4 records merged: conformant"), (code, &text))?;
    let (code, text) = merge(&[&one])?;
    let missing = format!("{} stands in no record", names[1]);
    check(code == Some(2) && text.contains(&missing), (code, &text))?;
    let (code, text) = merge(&[&one, &two, &one])?;
    let doubled = format!("{} stands in ", names[0]);
    check(code == Some(2) && text.contains(&doubled), (code, &text))
}

fn one_process() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let router = format!("{PROGRAM} broken always-502");
    let output = test_program(&router, folder.path(), &[SELECTION, "--test-threads=4"]).output()?;
    check(output.status.code() == Some(101), &output)?;
    let (output, json, _written) = render(folder.path())?;
    check(output.status.success(), &output)?;
    let record = read(&json)?;
    check(
        record.conclusion.to_string() == "not conformant" && record.exit_code == 1,
        record.conclusion,
    )?;
    let core = record.profiles.iter().find(|profile| profile.profile == "core");
    check(core.is_some_and(|core| core.verdict == "not conformant"), core)
}

fn misfits() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let names = names(folder.path())?;
    let broken = format!("{PROGRAM} broken always-502");
    start_one(&reference(), folder.path(), &names[0])?.wait_with_output()?;
    start_one(&broken, folder.path(), &names[1])?.wait_with_output()?;
    let (output, ..) = render(folder.path())?;
    let text = String::from_utf8(output.stderr)?;
    check(output.status.code() == Some(2) && text.contains("another command"), &text)?;

    let folder = tempfile::tempdir()?;
    for _ in 0..2 {
        start_one(&reference(), folder.path(), &names[0])?.wait_with_output()?;
    }
    let (output, ..) = render(folder.path())?;
    let text = String::from_utf8(output.stderr)?;
    let doubled = format!("{} stands in ", names[0]);
    check(output.status.code() == Some(2) && text.contains(&doubled), &text)
}

fn killed() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let names = names(folder.path())?;
    // A router that never becomes ready, and exits by itself some time after its killed parent.
    let mut process = start_one("sleep 15", folder.path(), &names[0])?;
    let began = Instant::now();
    while std::fs::read_dir(folder.path())?.filter_map(Result::ok).all(|entry| !is_record(&entry)) {
        check(began.elapsed() < LIMIT, "no record in time")?;
        std::thread::yield_now();
    }
    process.kill()?;
    process.wait()?;
    let (output, json, _written) = render(folder.path())?;
    check(output.status.success(), &output)?;
    let record = read(&json)?;
    let reason = record.scenarios[0].outcome.reason.as_deref().unwrap_or_default();
    check(
        record.conclusion.to_string() == "incomplete" && record.exit_code == 3,
        record.conclusion,
    )?;
    check(reason.contains("ended before the scenario did"), reason)
}

fn is_record(entry: &std::fs::DirEntry) -> bool {
    entry.path().extension().is_some_and(|extension| extension == "json")
}

fn unusable() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("file");
    std::fs::write(&file, "")?;
    for (path, part) in [(Path::new("records"), "absolute"), (&file, "cannot be made")] {
        let output = test_program(&reference(), path, &[SELECTION]).output()?;
        let text = String::from_utf8(output.stderr)?;
        check(output.status.code() == Some(2) && text.contains(part), &text)?;
    }
    let (output, ..) = render(folder.path())?;
    let text = String::from_utf8(output.stderr)?;
    check(output.status.code() == Some(2) && text.contains("has no record"), &text)
}
