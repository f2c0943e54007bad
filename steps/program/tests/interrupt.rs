//! An interrupted run leaves neither processes nor folders behind.
#![cfg(target_os = "linux")]

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

/// Limit of every wait here; only a failing test reaches it.
const LIMIT: Duration = Duration::from_secs(120);
/// Pause between two scans of the processes, which would otherwise slow down what they wait for.
const PAUSE: Duration = Duration::from_millis(5);

#[test]
fn an_interrupted_run_leaves_no_process_and_no_folder_behind() {
    for signal in [Signal::INT, Signal::TERM] {
        let folder = tempfile::tempdir().unwrap();
        let mut run = stability(folder.path());
        until("no router started", || !routers_of(folder.path()).is_empty());
        kill_process(Pid::from_child(&run), signal).unwrap();
        let status = run.wait().unwrap();
        assert_eq!(status.code(), Some(128 + signal.as_raw()), "{signal:?}");
        // The system needs a moment to remove killed processes.
        until("a router still runs", || routers_of(folder.path()).is_empty());
        let left: Vec<_> = std::fs::read_dir(folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name())
            .collect();
        assert!(
            left.iter().all(|name| name.to_string_lossy().starts_with("cells-conformance-")),
            "left behind: {left:?}"
        );
    }
}

#[test]
fn a_run_of_no_scenario_is_an_error_not_a_pass() {
    let output =
        Command::new(program()).args(["run", "no-scenario-is-called-that"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(
        BufReader::new(&output.stderr[..])
            .lines()
            .any(|line| line.unwrap().contains("no scenario is named like"))
    );
}

/// A long run, whose temporary folders are all in one place.
fn stability(folder: &Path) -> Child {
    let mut command = Command::new(program());
    command.args(["stability", "--times", "1000", "project_signed_in"]).env("TMPDIR", folder);
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

fn program() -> &'static str {
    env!("CARGO_BIN_EXE_cells-conformance")
}

/// Processes whose topology file is in this folder.
fn routers_of(folder: &Path) -> Vec<String> {
    let wanted = format!("CELLS_TOPOLOGY={}", folder.display());
    let processes = std::fs::read_dir("/proc").unwrap().filter_map(Result::ok);
    let environment =
        |entry: &std::fs::DirEntry| std::fs::read(entry.path().join("environ")).unwrap_or_default();
    let holds = |entry: &std::fs::DirEntry| {
        environment(entry).split(|byte| *byte == 0).any(|line| line.starts_with(wanted.as_bytes()))
    };
    processes.filter(holds).map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < LIMIT, "timeout: {what}");
        std::thread::sleep(PAUSE);
    }
}
