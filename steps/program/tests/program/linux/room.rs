//! Machines without what a run needs: files, processes, a folder for temporary files, a loopback
//! network. None of it is a router's fault.

use std::process::Command;

use crate::call::{Ended, ONE, PROGRAM, call, program, write_script};

/// A scenario with a hundred requests in flight.
const MANY: &str = "requests_that_wait_at_one_cell_do_not_delay_users_of_another[buffering]";

/// Runs the program below a shell that has done something first.
fn after(before: &str, arguments: &[&str]) -> Ended {
    let script = format!("{before} && exec \"$@\"");
    call(Command::new("sh").args(["-c", &script, "sh", PROGRAM]).args(arguments))
}

/// It ended before anything was run, with one line that has these words.
#[track_caller]
fn refused(ended: Ended, words: &[&str]) {
    let ended = words.iter().fold(ended.with(2), |ended, word| ended.err(word));
    let lines = ended.err.lines().filter(|line| line.starts_with("error: ")).count();
    assert_eq!((lines, ended.out.as_str()), (1, ""), "{}", ended.err);
}

#[test]
fn a_low_limit_of_open_files_is_raised_for_the_suite() {
    let run = ["run", "isolation", "--reference"];
    after("ulimit -Sn 128", &run).with(0).says(" passed").never("open at once");
}

#[test]
fn a_hard_limit_of_open_files_opens_fewer_scenarios_at_once() {
    let run = ["run", "timeouts", "isolation", "--reference", "--jobs=8"];
    after("ulimit -n 400", &run)
        .with(0)
        .err("scenarios are open at once, not 128")
        .never("violated");
}

#[test]
fn a_scenario_that_needs_more_files_than_there_are_could_not_run() {
    let run = ["run", MANY, ONE, "--reference"];
    let ended = after("ulimit -n 200", &run).with(3).says("1 passed").says("`ulimit -Hn`");
    ended.never("violated").never("SUITE ERROR");
}

#[test]
fn without_files_for_one_scenario_nothing_is_run() {
    let ended = after("ulimit -n 80", &["run", "--reference"]);
    refused(ended, &["80 files open", "raise `ulimit -Hn`"]);
}

#[test]
fn a_folder_for_temporary_files_is_looked_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let (file, none) = (folder.path().join("file"), folder.path().join("none"));
    std::fs::write(&file, "").unwrap();
    // Nobody makes a folder in the last one, not even root.
    for place in [file.as_path(), none.as_path(), "/proc".as_ref()] {
        let ended = call(program(&["run", "--reference"]).env("TMPDIR", place));
        refused(ended, &[&place.display().to_string(), "TMPDIR"]);
    }
}

#[test]
fn a_limit_of_processes_is_no_panic() {
    // The system holds root to no limit.
    let is_root = rustix::process::getuid().is_root();
    let as_nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];
    let user = if is_root { &as_nobody[..] } else { &["env"] };
    let mine = |words: &[&str]| {
        let words = [user, words].concat();
        call(Command::new(words[0]).args(&words[1..]).env("TMPDIR", std::env::temp_dir()))
    };
    if Command::new(user[0]).args(&user[1..]).args([PROGRAM, "--version"]).output().is_err() {
        eprintln!("this program cannot be run as another user here: the test is left out");
        return;
    }
    let run = ["prlimit", "--nproc=12", PROGRAM, "run", ONE, "--reference"];
    refused(mine(&run), &["12 threads and processes", "raise `ulimit -u`"]);
}

#[test]
fn a_loopback_network_that_is_down_is_named() {
    let alone = ["unshare", "-rn"];
    let made = Command::new(alone[0]).arg(alone[1]).arg("true").output();
    if !made.is_ok_and(|made| made.status.success()) {
        eprintln!("no network can be made here: the test is left out");
        return;
    }
    let words = [&alone[1..], &[PROGRAM, "run", "--reference"]].concat();
    refused(call(Command::new(alone[0]).args(words)), &["loopback", "`ip link set lo up`"]);
}

#[test]
fn a_router_gets_the_limit_of_open_files_that_the_user_has() {
    let folder = tempfile::tempdir().unwrap();
    let router = folder.path().join("router");
    let script = format!("#!/bin/sh\n[ $(ulimit -Sn) = 300 ] || exit 9\nexec '{PROGRAM}' router\n");
    write_script(&router, &script);
    after("ulimit -Sn 300", &["run", ONE, "--", &router.display().to_string()]).with(0);
}
