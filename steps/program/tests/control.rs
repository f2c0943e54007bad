//! What starts, ends and reports a run: the first line, limits, signals, outputs, flaky entries.
#![cfg(target_os = "linux")]

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

/// A scenario that takes little time, and that the reference router passes.
const ONE: &str = concat!(
    "journeys::project_signed_in::internal_redirect::",
    "a_cold_router_finds_the_owner_by_way_of_another_cell[buffering]"
);

/// A few dozen scenarios.
const SOME: &str = "project_signed_in";

/// Limit of every wait here; only a failing test reaches it.
const LIMIT: Duration = Duration::from_secs(120);

const PROGRAM: &str = env!("CARGO_BIN_EXE_cells-conformance");

fn program(arguments: &[&str]) -> Command {
    let mut command = Command::new(PROGRAM);
    command.args(arguments);
    command
}

fn run(arguments: &[&str]) -> Output {
    program(arguments).output().unwrap()
}

fn out(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The lines of JSON that a run wrote: those of scenarios, and that of the conclusion.
fn lines(output: &Output) -> (Vec<Value>, Value) {
    let text = out(output);
    let mut lines: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let last = lines.pop().unwrap();
    (lines, last)
}

fn count(lines: &[Value], outcome: &str) -> usize {
    lines.iter().filter(|line| line["outcome"] == outcome).count()
}

/// A router file for a router that the program itself can be.
fn router_file(folder: &Path, arguments: &str, entries: &str) -> String {
    let path = folder.join("router.toml");
    let text = format!(
        "name = \"r\"\nversion = \"7\"\ncommand = [\"{PROGRAM}\", {arguments}]\n\
         protocols = [\"buffering\"]\ncapabilities = [\"upgrade\"]\n{entries}"
    );
    std::fs::write(&path, text).unwrap();
    path.display().to_string()
}

fn report(path: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// Waits until a condition holds, and returns what it found.
fn until<T>(what: &str, mut found: impl FnMut() -> Option<T>) -> T {
    let began = Instant::now();
    loop {
        if let Some(found) = found() {
            return found;
        }
        assert!(began.elapsed() < LIMIT, "timeout: {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// The processes whose environment has this entry.
fn processes_with(entry: &str) -> usize {
    let processes = std::fs::read_dir("/proc").unwrap().filter_map(Result::ok);
    let environments =
        processes.map(|process| std::fs::read(process.path().join("environ")).unwrap_or_default());
    environments
        .filter(|environment| {
            environment.split(|byte| *byte == 0).any(|one| one == entry.as_bytes())
        })
        .count()
}

#[test]
fn the_first_line_says_who_is_tested() {
    let folder = tempfile::tempdir().unwrap();
    let file = router_file(folder.path(), "\"router\"", "");
    let wanted = [
        "testing r 7, started by",
        "protocols: buffering",
        "capabilities: upgrade",
        "1 scenario to run",
    ];
    let text = run(&["run", ONE, "--router-file", &file]);
    let json = run(&["run", ONE, "--router-file", &file, "--format", "json"]);
    for (first, stream) in [(out(&text), "standard output"), (err(&json), "standard error")] {
        let first = first.lines().next().unwrap_or_default();
        for part in wanted {
            assert!(first.contains(part), "{part:?} on {stream}: {first}");
        }
    }
    let reference = run(&["run", ONE]);
    assert!(out(&reference).starts_with("testing reference router"), "{}", out(&reference));
}

#[test]
fn failures_end_a_run_early() {
    let broken = ["--format", "json", "--jobs", "1", "--", PROGRAM, "broken", "always-502"];
    for (limit, failures) in [(&["--fail-fast"][..], 1), (&["--max-failures", "2"][..], 2)] {
        let output = run(&[&["run", SOME][..], limit, &broken[..]].concat());
        assert_eq!(output.status.code(), Some(1), "{}", err(&output));
        let (lines, conclusion) = lines(&output);
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
    let both = run(&["run", SOME, "--fail-fast", "--max-failures", "2"]);
    assert_eq!(both.status.code(), Some(2), "{}", err(&both));
}

#[test]
fn a_router_that_does_not_start_ends_a_run_early_and_is_not_judged() {
    let folder = tempfile::tempdir().unwrap();
    let json = folder.path().join("report.json");
    let to = format!("json={}", json.display());
    let script = "echo no such setting >&2; exit 3";
    let output = run(&["run", SOME, "--report", &to, "--", "sh", "-c", script]);
    assert_eq!(output.status.code(), Some(3), "{}", err(&output));
    let summary = out(&output);
    for part in ["did not start 5 times in a row", "exit status: 3", "no such setting"] {
        assert!(summary.contains(part), "{part:?}: {summary}");
    }
    assert!(!summary.contains("FAILED") && !err(&output).contains("violated"), "{summary}");
    let report = report(&json);
    assert_eq!(report["conclusion"], "incomplete");
    assert_eq!(report["incomplete"]["ended_by"], "start-failures");
    let of = |word: &str| {
        let cases = report["scenarios"].as_array().unwrap().iter();
        cases.filter(|case| case["outcome"]["word"] == word).count()
    };
    assert!(of("could not run") >= 5 && of("not run") > 0 && of("failed") == 0, "{summary}");
    let verified = run(&["verify", &json.display().to_string()]);
    assert_eq!(verified.status.code(), Some(0), "{}", out(&verified));

    // Of fewer scenarios in a row, each is judged by itself.
    let one = run(&["run", ONE, "--", "sh", "-c", script]);
    assert_eq!(one.status.code(), Some(1), "{}", err(&one));
    let forever = ["run", SOME, "--max-start-failures", "0", "--", "sh", "-c", script];
    assert_eq!(run(&forever).status.code(), Some(1));
}

/// A run of everything whose routers have a mark, and whose reports go to a folder.
fn long_run(folder: &Path, mark: &str) -> Child {
    let mut command = program(&["run", "--jobs", "2"]);
    for (form, name) in
        [("json", "r.json"), ("html", "r.html"), ("junit", "r.xml"), ("markdown", "r.md")]
    {
        command.arg(format!("--report={form}={}", folder.join(name).display()));
    }
    command.env("CONTROL_TEST", mark).env("TMPDIR", folder);
    command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap()
}

#[test]
fn an_interrupted_run_reports_what_it_ran() {
    for (signal, ended_by) in [(Signal::INT, "interrupt"), (Signal::TERM, "termination")] {
        let folder = tempfile::tempdir().unwrap();
        let mark = format!("{}-{ended_by}", std::process::id());
        let entry = format!("CONTROL_TEST={mark}");
        let mut run = long_run(folder.path(), &mark);
        until("a router starts", || (processes_with(&entry) > 1).then_some(()));
        kill_process(Pid::from_child(&run), signal).unwrap();
        let mut summary = String::new();
        run.stdout.take().unwrap().read_to_string(&mut summary).unwrap();
        assert_eq!(run.wait().unwrap().code(), Some(3), "{summary}");
        assert!(summary.contains("the run ended early"), "{summary}");
        until("its routers end", || (processes_with(&entry) == 0).then_some(()));
        let json = report(&folder.path().join("r.json"));
        assert_eq!(json["incomplete"]["ended_by"], ended_by);
        for name in ["r.html", "r.xml", "r.md"] {
            let text = std::fs::read_to_string(folder.path().join(name)).unwrap();
            assert!(text.contains("the run ended early"), "{name}");
        }
        let left = std::fs::read_dir(folder.path()).unwrap().map(|one| one.unwrap().file_name());
        let left: Vec<_> = left.filter(|name| name.to_string_lossy().starts_with("cc-")).collect();
        assert!(left.is_empty(), "{left:?}");
    }
}

#[test]
fn a_second_signal_ends_a_run_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let mark = format!("{}-twice", std::process::id());
    let entry = format!("CONTROL_TEST={mark}");
    let mut run = long_run(folder.path(), &mark);
    until("a router starts", || (processes_with(&entry) > 1).then_some(()));
    let status = until("the run ends", || {
        // A signal to a process that has ended is an error; until then, every one counts.
        let _ = kill_process(Pid::from_child(&run), Signal::INT);
        run.try_wait().unwrap()
    });
    // The run may have ended between the two.
    assert!(matches!(status.code(), Some(130 | 3)), "{status}");
    until("its routers end", || (processes_with(&entry) == 0).then_some(()));
}

#[test]
fn a_flaky_known_failure_may_pass_and_may_fail() {
    let folder = tempfile::tempdir().unwrap();
    let name = ONE.rsplit_once('[').unwrap().0;
    let entry = format!(
        "[[known_failure]]\nscenario = \"{name}\"\nreason = \"a race in the engine\"\n\
         link = \"https://example.com/1\"\nflaky = true\n"
    );
    for (arguments, counted, passed) in [
        ("\"router\"", "flaky: 1 listed, 0 failed, 1 passed", 1),
        ("\"broken\", \"always-502\"", "flaky: 1 listed, 1 failed, 0 passed", 0),
    ] {
        let file = router_file(folder.path(), arguments, &entry);
        let [json, html] = ["r.json", "r.html"].map(|name| folder.path().join(name));
        let [to_json, to_html] = [("json", &json), ("html", &html)]
            .map(|(form, path)| format!("{form}={}", path.display()));
        let reports = ["--report", &to_json, "--report", &to_html];
        let output = run(&[&["run", ONE, "--router-file", &file][..], &reports].concat());
        assert_eq!(output.status.code(), Some(0), "{}{}", out(&output), err(&output));
        assert!(out(&output).contains(counted), "{}", out(&output));
        assert_eq!(report(&json)["flaky"][0]["passed"], passed);
        assert!(std::fs::read_to_string(html).unwrap().contains(counted));
        let verified = run(&["verify", &json.display().to_string()]);
        assert_eq!(verified.status.code(), Some(0), "{}", out(&verified));
        let many = ["stability", ONE, "--times", "2", "--router-file", &file];
        let counted = format!("flaky: {} failed, {} passed: {name}", 2 - 2 * passed, 2 * passed);
        assert!(out(&run(&many)).contains(&counted), "{}", out(&run(&many)));
    }
}

#[test]
fn report_paths_are_tried_before_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let at = |path: &str| folder.path().join(path).display().to_string();
    std::fs::write(at("file"), "").unwrap();
    for (reports, word) in [
        (vec!["html=.".to_owned()], "folder"),
        (vec![format!("html={}", at("file/x"))], "cannot be made"),
        (vec![format!("html={}", at("a")), format!("json={}", at("./a"))], "two reports"),
        (vec!["html=-".to_owned(), "json=-".to_owned()], "two reports"),
    ] {
        let mut command = program(&["run", ONE]);
        command.args(reports.iter().flat_map(|report| ["--report", report]));
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{reports:?}: {}", err(&output));
        assert!(err(&output).contains(word), "{reports:?}: {}", err(&output));
        assert!(out(&output).is_empty(), "{}", out(&output));
    }
    let both = run(&["run", ONE, "--format", "json", "--report", "json=-"]);
    assert_eq!(both.status.code(), Some(2), "{}", err(&both));
}

#[test]
fn a_report_that_cannot_be_written_after_the_run_leaves_the_others_and_another_exit_code() {
    let folder = tempfile::tempdir().unwrap();
    let at = |path: &str| folder.path().join(path);
    std::os::unix::fs::symlink("/dev/full", at("full")).unwrap();
    let (full, json) =
        (format!("html={}", at("full").display()), format!("json={}", at("j").display()));
    let output = run(&["run", ONE, "--report", &full, "--report", &json]);
    assert_eq!(output.status.code(), Some(5), "{}", err(&output));
    assert!(err(&output).contains("full could not be written"), "{}", err(&output));
    assert_eq!(report(&at("j"))["conclusion"], "conformant");
}

#[test]
fn a_report_on_standard_output_has_it_for_itself() {
    let output = run(&["run", ONE, "--report", "json=-"]);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    let report: Value = serde_json::from_str(&out(&output)).unwrap();
    assert_eq!(report["conclusion"], "conformant");
    assert!(err(&output).contains("testing reference router"), "{}", err(&output));
    assert!(err(&output).contains("1 scenario in"), "{}", err(&output));
}

#[test]
fn a_full_disk_behind_standard_output_is_an_error() {
    for arguments in
        [&["list"][..], &["explain", "BF-03"], &["completions", "bash"], &["man"], &["run", ONE]]
    {
        let mut command = program(arguments);
        let full = File::options().write(true).open("/dev/full").unwrap();
        let output = command.stdout(full).stderr(Stdio::piped()).output().unwrap();
        assert_eq!(output.status.code(), Some(5), "{arguments:?}: {}", err(&output));
        assert!(err(&output).contains("standard output"), "{arguments:?}: {}", err(&output));
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
    for arguments in [&["list"][..], &["explain", "BF-03"], &["completions", "bash"], &["man"]] {
        let (code, first) = with_a_reader_that_leaves(arguments);
        assert_eq!(code, Some(0), "{arguments:?}: {first}");
    }
    let (code, first) = with_a_reader_that_leaves(&["run", SOME, "--format", "json"]);
    assert_eq!(code, Some(3), "{first}");
    // The first round is told of before anybody has left; the second one is not.
    let (code, first) = with_a_reader_that_leaves(&["stability", ONE, "--times", "50"]);
    assert_eq!(code, Some(141), "{first}");
}

#[test]
fn an_empty_word_is_no_command() {
    for command in ["", " "] {
        let output = run(&["run", ONE, "--", command]);
        assert_eq!(output.status.code(), Some(2), "{command:?}: {}", err(&output));
        assert!(err(&output).contains("no command follows `--`"), "{}", err(&output));
    }
}

#[test]
fn a_draft_of_known_failures_loads_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let draft = folder.path().join("draft.toml");
    let to = draft.display().to_string();
    let broken = ["--", PROGRAM, "broken", "always-502"];
    let output = run(&[&["run", ONE, "--write-known-failures", &to][..], &broken].concat());
    assert_eq!(output.status.code(), Some(1), "{}", err(&output));
    let entries = std::fs::read_to_string(&draft).unwrap();
    let file = router_file(folder.path(), "\"broken\", \"always-502\"", &entries);
    let known = run(&["run", ONE, "--router-file", &file]);
    assert_eq!(known.status.code(), Some(0), "{}", err(&known));
}

#[test]
fn a_watched_run_runs_again_when_a_script_changes() {
    let folder = tempfile::tempdir().unwrap();
    let script: PathBuf = folder.path().join("router.sh");
    std::fs::write(&script, format!("exec {PROGRAM} broken always-502\n")).unwrap();
    let mut command = program(&["run", ONE, "--watch", "--format", "json", "--", "sh"]);
    let mut run =
        command.arg(&script).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(run.stdout.take().unwrap()).lines();
    let mut conclusion = || {
        let line = lines.find(|line| line.as_ref().unwrap().contains("\"conclusion\"")).unwrap();
        serde_json::from_str::<Value>(&line.unwrap()).unwrap()["conclusion"].clone()
    };
    assert_eq!(conclusion(), "not conformant");
    std::fs::write(&script, format!("exec {PROGRAM} router # mended\n")).unwrap();
    assert_eq!(conclusion(), "conformant");
    let mut notes = BufReader::new(run.stderr.take().unwrap()).lines().map(Result::unwrap);
    let changed = notes.find(|line| line.starts_with("changed: ")).unwrap();
    assert!(changed.ends_with("router.sh"), "{changed}");
    notes.find(|line| line.contains("watching 2 files")).unwrap();
    kill_process(Pid::from_child(&run), Signal::INT).unwrap();
    assert_eq!(run.wait().unwrap().code(), Some(0));
}
