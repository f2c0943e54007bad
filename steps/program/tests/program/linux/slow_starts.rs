//! Routers that start slowly: the next ones start meanwhile.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};

use crate::call::{PROGRAM, call, json, processes_with, program, until, write_script};

/// A router that leaves a file when it begins. `first` is what it does before it listens, and `begun`
/// counts those that have begun.
fn router(folder: &Path, first: &str) -> PathBuf {
    let path = folder.join("router");
    std::fs::create_dir(folder.join("begun")).unwrap();
    let script = format!(
        "#!/bin/sh\n\
         begun() {{ set -- \"$FOLDER\"/begun/*; echo $#; }}\n\
         : >\"$FOLDER/begun/$$\"\n\
         {first}\n\
         exec \"$SUITE\" router\n"
    );
    write_script(&path, &script);
    path
}

/// A run with two jobs of scenarios that have a router each.
fn suite(folder: &Path, router: &Path) -> Command {
    let words = ["run", "project_signed_in", "--jobs=2", "--report=json=r.json", "--"];
    let mut suite = program(&words);
    suite.arg(router).current_dir(folder);
    suite.env("FOLDER", folder).env("TMPDIR", folder).env("SUITE", PROGRAM);
    suite
}

#[test]
fn the_next_routers_start_while_one_starts() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    // The first five routers wait for each other: with two jobs, they do so without end if each of
    // them holds one.
    let router = router(folder, "until [ \"$(begun)\" -ge 5 ]; do sleep 0.02; done");
    call(&mut suite(folder, &router)).with(0);
    let record = json(folder, "r.json");
    let starts = &record["run"]["starts"];
    let begun = std::fs::read_dir(folder.join("begun")).unwrap().count();
    assert_eq!(starts["number"], begun, "{starts}");
    assert!(starts["took_ms"].as_u64().unwrap() > 0, "{starts}");
}

#[test]
fn an_interrupted_run_ends_the_routers_that_only_start() {
    for signal in [Signal::INT, Signal::TERM] {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let router = router(folder, "setsid sleep 600 & exec sleep 600");
        let mark = format!("TMPDIR={}", folder.join("cc-").display());
        let mut suite = suite(folder, &router);
        let suite = suite.stdout(Stdio::null()).stderr(Stdio::null());
        let mut suite = suite.spawn().unwrap();
        // More routers than there are jobs, and what each of them has left.
        until("no further routers start", || processes_with(&mark).len() >= 6);
        kill_process(Pid::from_child(&suite), signal).unwrap();
        assert_eq!(suite.wait().unwrap().code(), Some(3));
        assert_eq!(processes_with(&mark).len(), 0, "{signal:?}");
        let entries = std::fs::read_dir(folder).unwrap();
        let left = entries.filter(|entry| {
            entry.as_ref().unwrap().file_name().to_string_lossy().starts_with("cc-")
        });
        assert_eq!(left.count(), 0);
    }
}
