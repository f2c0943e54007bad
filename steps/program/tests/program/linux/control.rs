//! What starts, ends and reports a run: the first line, limits, signals, outputs, flaky entries.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Stdio};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::call::{
    BROKEN, Ended, LAB, ONE, PROGRAM, call, json, known_failure, left, processes_with, program,
    router_file, run, run_in, text, until,
};

const SOME: &str = "project_signed_in";
/// Enough scenarios that no machine has begun all of them when the first ones end.
const MANY: &str = "journeys";

/// The lines of JSON that a run wrote: those of scenarios, and that of the conclusion.
fn lines(ended: &Ended) -> (Vec<Value>, Value) {
    let mut lines: Vec<Value> =
        ended.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let last = lines.pop().unwrap();
    (lines, last)
}

/// What a run says on standard error, line by line.
fn notes(run: &mut Child) -> impl Iterator<Item = String> + use<> {
    BufReader::new(run.stderr.take().unwrap()).lines().map(Result::unwrap)
}

/// Sends a signal, and waits for the exit code.
fn end(run: &mut Child, signal: Signal) -> Option<i32> {
    kill_process(Pid::from_child(run), signal).unwrap();
    run.wait().unwrap().code()
}

fn count(lines: &[Value], outcome: &str) -> usize {
    lines.iter().filter(|line| line["outcome"] == outcome).count()
}

#[test]
fn failures_end_a_run_early() {
    let options = ["--format", "json", "--jobs", "1"];
    for (limit, failures) in [(["--fail-fast"], 1), (["--fail-fast=2"], 2)] {
        let ended = run(&[&["run", SOME], &limit[..], &options, &BROKEN].concat()).with(1);
        let (lines, conclusion) = lines(&ended);
        assert_eq!(count(&lines, "failed"), failures);
        let not_run = count(&lines, "not run");
        assert!(not_run > 0 && lines.len() == conclusion["scenarios"], "{conclusion}");
        assert_eq!(conclusion["conclusion"], "not conformant");
        assert_eq!(conclusion["incomplete"]["ended_by"], "failures");
        assert_eq!(conclusion["incomplete"]["not_run"], not_run);
        let failed = lines.iter().find(|line| line["outcome"] == "failed").unwrap();
        let found = &failed["findings"][0];
        assert!(found["message"].as_str().is_some_and(|message| !message.is_empty()), "{failed}");
        assert_eq!(found["requirement"], failed["violated"][0]);
    }
}

#[test]
fn a_router_that_does_not_start_ends_a_run_early_and_is_not_judged() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let script = ["--", "sh", "-c", "echo no such setting >&2; exit 3"];
    let ended = run_in(folder, &[&["run", MANY, "--report=json=r.json"], &script[..]].concat())
        .with(3)
        .out("did not start 5 times in a row")
        .out("exit status: 3")
        .out("no such setting")
        .never("violated");
    assert!(!ended.out.contains("FAILED"), "{}", ended.out);
    let report = json(folder, "r.json");
    assert_eq!(report["conclusion"], "incomplete");
    assert_eq!(report["incomplete"]["ended_by"], "start-failures");
    let of = |word: &str| {
        let cases = report["scenarios"].as_array().unwrap().iter();
        cases.filter(|case| case["outcome"]["word"] == word).count()
    };
    assert!(of("could not run") >= 5 && of("not run") > 0 && of("failed") == 0, "{report}");
    run_in(folder, &["report", "verify", "r.json"]).with(0);

    // Of fewer scenarios in a row, each is judged by itself.
    run(&[&["run", ONE], &script[..]].concat()).with(1);
    run(&[&["run", SOME, "--fail-fast=0"], &script[..]].concat()).with(1);
}

/// A long run whose routers have their files in a folder, and whose reports go there.
fn long_run(folder: &Path) -> Child {
    program(&["run", "--jobs=2", "--report=json=r.json", "--report=html=r.html"])
        .args(["--report=junit=r.xml", "--report=markdown=r.md"])
        .env("TMPDIR", folder)
        .current_dir(folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// The routers whose topology file is in this folder.
fn routers_of(folder: &Path) -> usize {
    processes_with(&format!("CELLS_TOPOLOGY={}", folder.display())).len()
}

#[test]
fn an_interrupted_run_reports_what_it_ran() {
    for (signals, ended_by) in [
        (&[Signal::INT][..], "interrupt"),
        (&[Signal::TERM], "termination"),
        (&[Signal::HUP], "hangup"),
        // Signals of one moment are one wish.
        (&[Signal::TERM, Signal::INT, Signal::HUP], ""),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let mut run = long_run(folder);
        until("a router starts", || routers_of(folder) > 0);
        for signal in signals {
            kill_process(Pid::from_child(&run), *signal).unwrap();
        }
        let mut summary = String::new();
        run.stdout.take().unwrap().read_to_string(&mut summary).unwrap();
        assert_eq!(run.wait().unwrap().code(), Some(3), "{summary}");
        assert!(summary.contains("the run ended early"), "{summary}");
        until("its routers end", || routers_of(folder) == 0);
        let said = json(folder, "r.json")["incomplete"]["ended_by"].clone();
        assert!(said == ended_by || signals.len() > 1, "{said}");
        for name in ["r.html", "r.xml", "r.md"] {
            assert!(text(folder, name).contains("the run ended early"), "{name}");
        }
        assert_eq!(left(folder), Vec::<String>::new());
    }
}

#[test]
fn a_report_that_does_not_fit_leaves_the_one_before_it() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let words = ["run", ONE, "--reference", "--report=json=r.json", "--report=html=r.html"];
    run_in(folder, &words).with(0);
    let before = (text(folder, "r.json"), text(folder, "r.html"));
    // Files of 4 KiB at most, as where a disk is nearly full.
    let limited = "trap '' XFSZ; ulimit -f 8; exec \"$@\"";
    let render = ["report", "render", "r.json", "--report=html=r.html", "--report=json=r.json"];
    let mut command = std::process::Command::new("sh");
    command.args(["-c", limited, "sh", PROGRAM]).args(render).current_dir(folder);
    call(&mut command).with(5).err("r.html could not be written");
    assert!((text(folder, "r.json"), text(folder, "r.html")) == before);
    assert_eq!(std::fs::read_dir(folder).unwrap().count(), 2);
}

#[test]
fn a_signal_that_was_ignored_stays_ignored() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    // As `nohup` starts it.
    let mut command = std::process::Command::new("sh");
    command.args(["-c", "trap '' HUP; exec \"$@\"", "sh", PROGRAM, "run", "--jobs=2"]);
    command.arg("--report=json=r.json").env("TMPDIR", folder).current_dir(folder);
    let mut run = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    until("a router starts", || routers_of(folder) > 0);
    kill_process(Pid::from_child(&run), Signal::HUP).unwrap();
    assert_eq!(end(&mut run, Signal::TERM), Some(3));
    assert_eq!(json(folder, "r.json")["incomplete"]["ended_by"], "termination");
}

/// What commands without a report have measured until they are interrupted stands on
/// standard output.
#[test]
fn an_interrupted_measurement_keeps_what_it_has_and_leaves_nothing_behind() {
    let learning = ["--protocol=learning", "--reference"];
    for (words, line, kept) in [
        (
            &["cells-lab", "stability", "--times=1000", ONE][..],
            "round 1 of 1000",
            "scenario runs: ",
        ),
        (&["cells-lab", "flows"], "run 50 of", "\"ended_early\""),
        (&["cells-lab", "proofs", "--jobs=1"], "holds (", "holds ("),
        (&["measure", "soak", "--for=10m"], "a third of it", "right  "),
        (
            &["measure", "memory", "--mebibytes=1", "--prefixes=1000000"],
            "prefixes are visited",
            "1 MiB up",
        ),
        (&["measure", "privacy", "--samples=100000"], "500 of 100000", "500 samples"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let more = match words[1] {
            "stability" => &learning[1..],
            "proofs" => &[],
            _ => &learning,
        };
        let mut command = program(&[words, more].concat());
        command.env("TMPDIR", folder);
        let mut run = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut notes = notes(&mut run);
        notes.find(|note| note.contains(line)).unwrap_or_else(|| panic!("{words:?}"));
        kill_process(Pid::from_child(&run), Signal::INT).unwrap();
        notes.find(|note| note.contains("ended early")).unwrap_or_else(|| panic!("{words:?}"));
        let mut shown = String::new();
        run.stdout.take().unwrap().read_to_string(&mut shown).unwrap();
        assert!(shown.contains(kept), "{words:?}: {shown}");
        assert_eq!(run.wait().unwrap().code(), Some(3), "{words:?}: {shown}");
        // The system needs a moment to remove killed processes.
        until("its routers end", || routers_of(folder) == 0);
        assert_eq!(left(folder), Vec::<String>::new());
    }
}

#[test]
fn reports_are_written_before_failures_are_repeated() {
    let folder = tempfile::tempdir().unwrap();
    let words = ["run", ONE, "--report=json=r.json", "--report=known-failures=draft.toml"];
    let mut command = program(&[&words[..], &BROKEN].concat());
    let command = command.current_dir(folder.path()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut run = command.spawn().unwrap();
    let mut notes = notes(&mut run);
    notes.find(|note| note.starts_with("repeating")).unwrap();
    kill_process(Pid::from_child(&run), Signal::STOP).unwrap();
    let is_written = folder.path().join("r.json").exists();
    assert_eq!((is_written, end(&mut run, Signal::CONT)), (true, Some(1)));
}

#[test]
fn a_second_signal_ends_a_run_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let mut run = long_run(folder);
    until("a router starts", || routers_of(folder) > 0);
    let mut status = None;
    until("the run ends", || {
        // A signal to a process that has ended is an error; until then, every one counts.
        let _ = kill_process(Pid::from_child(&run), Signal::INT);
        status = run.try_wait().unwrap();
        status.is_some()
    });
    // The run may have ended between the two.
    let code = status.and_then(|status| status.code());
    assert!(matches!(code, Some(130 | 3)), "{status:?}");
    until("its routers end", || routers_of(folder) == 0);
}

#[test]
fn a_flaky_known_failure_may_pass_and_may_fail() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let name = ONE.rsplit_once('[').unwrap().0;
    let entry = known_failure(name) + "flaky = true\n";
    for (arguments, counted, passed) in [
        ("\"router\"", "flaky: 1 listed, 0 failed, 1 passed", 1),
        ("\"broken\", \"always-502\"", "flaky: 1 listed, 1 failed, 0 passed", 0),
    ] {
        let file = router_file(folder, arguments, &entry);
        let reports = ["--report=json=r.json", "--report=html=r.html"];
        let options = ["run", ONE, "--router-file", &file];
        run_in(folder, &[&options[..], &reports].concat()).with(0).out(counted);
        assert_eq!(json(folder, "r.json")["flaky"][0]["passed"], passed);
        assert!(text(folder, "r.html").contains(counted));
        run_in(folder, &["report", "verify", "r.json"]).with(0);
        let counted = format!("flaky: {} failed, {} passed: {name}", 2 - 2 * passed, 2 * passed);
        run(&["cells-lab", "stability", ONE, "--times", "2", "--router-file", &file]).out(&counted);
    }
}

#[test]
fn a_report_on_standard_output_has_it_for_itself() {
    let ended = run(&["run", ONE, "--report", "json=-"])
        .with(0)
        .err("testing reference router")
        .err("1 scenario in");
    let report: Value = serde_json::from_str(&ended.out).unwrap();
    assert_eq!(report["exit_code"], 0);
}

#[test]
fn a_full_disk_behind_standard_output_is_an_error() {
    for arguments in
        [&["list"][..], &["list", "explain", "BF-03"], &["completions", "bash"], &["run", ONE]]
    {
        let full = File::options().write(true).open("/dev/full").unwrap();
        call(program(arguments).stdout(full).stderr(Stdio::piped())).with(5).err("standard output");
    }
}

/// Runs the program with a reader of both outputs that leaves after the first line.
fn with_a_reader_that_leaves(arguments: &[&str]) -> (Option<i32>, String) {
    let (reader, writer) = std::io::pipe().unwrap();
    let mut command = program(arguments);
    command.stdout(writer.try_clone().unwrap()).stderr(writer);
    let mut child = command.spawn().unwrap();
    // The command holds both ends for writing.
    drop(command);
    let mut first = String::new();
    let mut reader = BufReader::with_capacity(64, reader);
    reader.read_line(&mut first).unwrap();
    drop(reader);
    (child.wait().unwrap().code(), first)
}

#[test]
fn a_reader_that_leaves_ends_the_program_quietly() {
    for arguments in [&["list"][..], &["list", "explain", "BF-03"], &["completions", "bash"]] {
        let (code, first) = with_a_reader_that_leaves(arguments);
        assert_eq!(code, Some(0), "{arguments:?}: {first}");
    }
    let (code, first) = with_a_reader_that_leaves(&["run", SOME, "--format", "json"]);
    assert_eq!(code, Some(3), "{first}");
    for arguments in
        [&["cells-lab", "stability", ONE, "--times", "1000"][..], &["cells-lab", "flows"]]
    {
        let (code, first) = with_a_reader_that_leaves(arguments);
        assert_eq!(code, Some(3), "{arguments:?}: {first}");
    }
}

#[test]
fn a_run_whose_output_is_closed_says_why_it_ends() {
    let mut command = program(&["run", SOME, "--format", "json"]);
    let mut run = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    BufReader::new(run.stdout.take().unwrap()).read_line(&mut String::new()).unwrap();
    Ended::from(run.wait_with_output().unwrap()).with(3).err("its output was closed");
}

/// Starts a watched run of a router that is a script, which reads another file.
fn watched(folder: &Path, script: &str, kind: &str) -> Child {
    let file = format!(
        "name = \"r\"\ncommand = [\"sh\", \"{}/router.sh\"]\nwatch = [\"kind\"]\n\
         protocols = [\"buffering\", \"learning\"]\n",
        folder.display()
    );
    for (name, text) in [("router.sh", script), ("kind", kind), ("router.toml", &file)] {
        std::fs::write(folder.join(name), text).unwrap();
    }
    let mut command = program(&["run", ONE, "--watch", "--format", "json", "--router-file"]);
    command.arg(folder.join("router.toml")).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

#[test]
fn a_file_that_changes_during_a_watched_run_is_named() {
    let folder = tempfile::tempdir().unwrap();
    // Somebody saves a file while the first scenario runs.
    let save = "[ -e $d/saved ] || { : > $d/saved; echo >> $d/kind; }";
    let script = format!("d=$(dirname $0)\n{save}\nexec {PROGRAM} router\n");
    let mut run = watched(folder.path(), &script, "");
    let mut notes = notes(&mut run);
    let is_about = |line: &String| line.starts_with("changed");
    let first = notes.find(is_about).unwrap();
    assert!(first.starts_with("changed while this ran, "), "{first}");
    assert!(notes.find(is_about).unwrap().ends_with("kind"));
    // The run that follows met it as it is.
    let next = notes.find(|line| is_about(line) || line.starts_with("watching")).unwrap();
    assert!(next.starts_with("watching"), "{next}");
    assert_eq!(end(&mut run, Signal::INT), Some(0));
}

#[test]
fn a_watched_run_runs_again_when_a_script_changes() {
    let folder = tempfile::tempdir().unwrap();
    // What the script reads and closes at once, nothing but `watch` can know.
    let script = format!("exec {LAB} $(cat $(dirname $0)/kind)\n");
    let mut run = watched(folder.path(), &script, "broken always-502");
    let mut lines = BufReader::new(run.stdout.take().unwrap()).lines();
    let mut conclusion = || {
        let line = lines.find(|line| line.as_ref().unwrap().contains("\"conclusion\"")).unwrap();
        serde_json::from_str::<Value>(&line.unwrap()).unwrap()["conclusion"].clone()
    };
    assert_eq!(conclusion(), "not conformant");
    std::fs::write(folder.path().join("kind"), "router").unwrap();
    assert!(conclusion().as_str().is_some_and(|words| words.starts_with("no failure in 1 of ")));
    let mut notes = notes(&mut run);
    let changed = notes.find(|line| line.starts_with("changed: ")).unwrap();
    assert!(changed.ends_with("kind"), "{changed}");
    let watching = notes.find(|line| line.starts_with("watching for changes")).unwrap();
    for file in ["router.sh", "router.toml", "kind"] {
        assert!(watching.contains(file), "{watching}");
    }
    assert_eq!(end(&mut run, Signal::INT), Some(0));
}
