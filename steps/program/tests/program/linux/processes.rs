//! Routers as processes: what they leave behind, how they die, and what is not their fault.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::call::{
    Ended, PROGRAM, call, json, left, processes_with, program, text, until, write_script,
};

/// A scenario with one router, which passes with the reference router.
const ONE: &str = "a_cold_router_asks_before_it_sends";

/// A folder for temporary files, and routers in it.
struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    fn temporary(&self) -> PathBuf {
        let path = self.folder.path().join("tmp");
        std::fs::create_dir_all(&path).unwrap();
        path
    }

    /// A router that is a shell script; `$SUITE router` is the reference router.
    fn router(&self, script: &str) -> PathBuf {
        let path = self.folder.path().join("router");
        write_script(&path, &format!("#!/bin/sh\n{script}\n"));
        path
    }

    fn suite(&self, arguments: &[&str]) -> Command {
        let mut command = program(arguments);
        command.env("TMPDIR", self.temporary()).env("SUITE", PROGRAM);
        command.current_dir(self.folder.path());
        command
    }

    /// A suite that waits for a router that never listens; the router is a shell script.
    fn waiting(&self, script: &str) -> Command {
        self.router(script);
        let file = "name = \"r\"\ncommand = [\"./router\"]\nstart_timeout = 600\n\
                    protocols = [\"buffering\", \"learning\"]\n";
        std::fs::write(self.folder.path().join("router.toml"), file).unwrap();
        let mut suite = self.suite(&["run", ONE, "--jobs=1"]);
        suite.stdout(Stdio::null()).stderr(Stdio::null());
        suite
    }

    fn run(&self, script: &str) -> Ended {
        let router = self.router(script);
        call(&mut self.suite(&["run", ONE, "--", router.to_str().unwrap()]))
    }

    /// What the environment of every process of a router here has.
    fn mark(&self) -> String {
        format!("TMPDIR={}", self.temporary().join("cc-").display())
    }

    /// The folders of scenarios that are there.
    fn left(&self) -> Vec<String> {
        left(&self.temporary())
    }
}

/// Runs a command on its own terminal, and passes on what it shows.
const ON_A_TERMINAL: &str = "
import os, pty, sys
pid, terminal = pty.fork()
if pid == 0:
    os.execv(sys.argv[1], sys.argv[1:])
while True:
    try:
        piece = os.read(terminal, 65536)
    except OSError:
        break
    if not piece:
        break
    sys.stdout.buffer.write(piece)
    sys.stdout.flush()
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
";

#[test]
fn a_router_has_no_terminal_and_the_clock_of_the_bar_goes_on() {
    let place = Place::new();
    // The second router of a scenario, and its reset command, are started in the same way. The
    // first words of what the kernel knows: process, program, state, parent, group, session,
    // terminal.
    let script = "if (: </dev/tty) 2>/dev/null; then echo has a terminal; fi >>\"$SEEN\"\n\
                  cut -d' ' -f1,6,7 /proc/$$/stat >>\"$SEEN\"\n\
                  sleep 3.5\nexec \"$SUITE\" router";
    let router = place.router(script);
    let seen = place.folder.path().join("seen");
    let words = [PROGRAM, "run", ONE, "--", router.to_str().unwrap()];
    let mut command = Command::new("python3");
    command.args(["-c", ON_A_TERMINAL]).args(words).current_dir(place.folder.path());
    command.envs([
        ("TMPDIR", place.temporary()),
        ("SEEN", seen.clone()),
        ("SUITE", PROGRAM.into()),
    ]);
    let shown = call(command.env("TERM", "xterm").env_remove("NO_COLOR")).with(0);
    let seen = std::fs::read_to_string(seen).unwrap();
    let words: Vec<_> = seen.split_whitespace().collect();
    let [process, session, terminal] = words[..] else { panic!("{seen}") };
    assert!(process == session && terminal == "0", "{seen}");
    for second in ["1s [", "2s [", "3s ["] {
        assert!(shown.out.contains(second), "no {second} in {:?}", shown.out);
    }
}

#[test]
fn a_program_that_cannot_be_started_is_named_with_what_is_probably_meant() {
    let place = Place::new();
    let router = place.router(LONG);
    let text = std::fs::read_to_string(&router).unwrap().replace('\n', "\r\n");
    std::fs::write(&router, text).unwrap();
    let run = |program: &str| call(&mut place.suite(&["run", ONE, "--", program])).with(3);
    run(router.to_str().unwrap()).says("could not be started").says("end with CR LF");
    run("node router.js").says("[\"node\", \"router.js\"]");
    std::fs::write(&router, "#!/no/such/shell\n").unwrap();
    run(router.to_str().unwrap()).says("`#!/no/such/shell`, names no program");
}

#[test]
fn a_limit_of_files_is_an_error_of_a_request_and_not_the_end_of_the_router() {
    let place = Place::new();
    // It begins where a body is kept in a file. Both numbers are blocks of 512 bytes.
    let router = place.router("ulimit -f 200; exec \"$SUITE\" router");
    let scenario = "a_short_body_reaches_a_cell_that_reads_late[buffering]";
    let ended = call(&mut place.suite(&["run", scenario, "--", router.to_str().unwrap()]));
    ended.with(0).says("503").never("died");
}

/// The files that the processes of a user share.
#[test]
fn a_kept_lock_is_not_waited_for_by_a_run_that_is_stopped_and_a_pipe_by_none() {
    let place = Place::new();
    let folder =
        place.temporary().join(format!("cells-conformance-{}", rustix::process::getuid().as_raw()));
    call(&mut place.suite(&["run", ONE, "--reference"])).with(0);
    let addresses = folder.join("addresses");
    let kept = std::fs::File::open(&addresses).unwrap();
    kept.lock().unwrap();
    let mut suite = place.suite(&["run", ONE, "--reference"]);
    let mut suite = suite.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let is_open = |link: std::io::Result<std::fs::DirEntry>| {
        link.is_ok_and(|link| std::fs::read_link(link.path()).is_ok_and(|to| to == addresses))
    };
    let open = format!("/proc/{}/fd", suite.id());
    until("the run waits", || std::fs::read_dir(&open).is_ok_and(|mut links| links.any(is_open)));
    kill_process(Pid::from_child(&suite), Signal::INT).unwrap();
    // With the lock it is an error of the suite, after ten seconds.
    assert_eq!(suite.wait().unwrap().code(), Some(3));
    drop(kept);
    std::fs::remove_file(&addresses).unwrap();
    assert!(Command::new("mkfifo").arg(&addresses).status().unwrap().success());
    call(&mut place.suite(&["run", ONE, "--reference"])).with(4).says("is not a regular file");
}

fn kill(child: &mut Child) {
    kill_process(Pid::from_child(child), Signal::KILL).unwrap();
    child.wait().unwrap();
}

/// A router that waits for SIGTERM, as the null baseline does, and says when it has begun.
const LONG: &str = "exec \"$SUITE\" router";

#[test]
fn a_router_that_dies_is_named_with_its_signal_or_status() {
    // It dies of its first request.
    let dies = |how: &str| {
        format!(
            "exec python3 - <<'END'\n\
             import os, signal, socket\n\
             host, port = os.environ['CELLS_LISTEN'].split(':')\n\
             s = socket.create_server((host, int(port)))\n\
             while True:\n\
             \x20   c, _ = s.accept()\n\
             \x20   if c.recv(1):\n\
             \x20       print('about to fail', flush=True)\n\
             \x20       {how}\n\
             END"
        )
    };
    let place = Place::new();
    for (how, words) in [
        ("os.kill(os.getpid(), signal.SIGSEGV)", "router_eu died: signal 11 (SIGSEGV)"),
        ("os._exit(7)", "router_eu died: exit status 7"),
    ] {
        place.run(&dies(how)).with(1).says(words).says("about to fail");
    }
    assert_eq!(place.left(), Vec::<String>::new());
}

#[test]
fn a_router_that_writes_without_end_fills_no_disk_and_is_not_blocked() {
    let place = Place::new();
    // More than a pipe and a report hold before it listens, however slow the machine: what it
    // writes from then on may be nothing yet when a short scenario is over.
    let script = "echo the first line; yes | head -c 1000000; yes & exec \"$SUITE\" router";
    let router = place.router(script);
    let words = ["run", ONE, "--report=json=r.json", "--", router.to_str().unwrap()];
    call(&mut place.suite(&words)).with(0);
    let text = text(place.folder.path(), "r.json");
    for words in ["the first line", "are left out"] {
        assert!(text.contains(words), "no {words:?} in {} bytes: {text:.4000}", text.len());
    }
    assert!(text.len() < 1 << 20, "{} bytes", text.len());
    assert_eq!(place.left(), Vec::<String>::new());
}

#[test]
fn a_child_that_leaves_its_session_is_ended_with_its_router() {
    let place = Place::new();
    let script = "CELLS_CHILD=$PPID-$$ setsid sleep 600 & CELLS_CHILD=$PPID-$$ setsid sh -c \
                  'cd /; sleep 600 & sleep 600' >/dev/null 2>&1 & exec \"$SUITE\" router";
    let router = place.router(script);
    let mut suite =
        place.suite(&["run", ONE, "--", router.to_str().unwrap()]).stdout(Stdio::null()).spawn();
    let suite = suite.as_mut().unwrap();
    let mark = format!("CELLS_CHILD={}-", suite.id());
    assert_eq!(suite.wait().unwrap().code(), Some(0));
    until("a child outlived its router", || processes_with(&mark).is_empty());
}

#[test]
fn an_interrupted_suite_ends_what_left_the_group_of_its_router() {
    let place = Place::new();
    // One has its own session, the other one no parent either, and a child.
    let leave = "setsid sleep 600 & (setsid sh -c 'cd /; sleep 600 & sleep 600' &) &";
    let mark = place.mark();
    for (explores, signal) in
        [(false, Signal::INT), (false, Signal::TERM), (true, Signal::INT), (true, Signal::TERM)]
    {
        let mut suite = place.waiting(&format!("{leave} exec sleep 600"));
        if explores {
            let router = place.router(&format!("{leave} exec \"$SUITE\" router"));
            suite = place.suite(&["explore", "--runs", "100000", "--jobs", "2", "--"]);
            suite.arg(router).stdout(Stdio::null()).stderr(Stdio::null());
        }
        let mut suite = suite.spawn().unwrap();
        // The router, and the four programs that left it.
        until("what leaves its group did not start", || processes_with(&mark).len() >= 5);
        kill_process(Pid::from_child(&suite), signal).unwrap();
        suite.wait().unwrap();
        let left = processes_with(&mark);
        for process in &left {
            let _ = kill_process(Pid::from_raw(*process).unwrap(), Signal::KILL);
        }
        assert_eq!(left.len(), 0, "{explores} {signal:?}");
        assert_eq!(place.left(), Vec::<String>::new());
    }
}

#[test]
fn a_killed_suite_leaves_no_router_and_no_folder() {
    let place = Place::new();
    let mut suite = place.waiting("setsid sleep 600 & exec sleep 600");
    let mark = place.mark();
    let mut suite = suite.spawn().unwrap();
    until("the router and its child did not start", || processes_with(&mark).len() >= 2);
    kill(&mut suite);
    until("a router outlived the suite", || processes_with(&mark).is_empty());
    until("a folder was left", || place.left().is_empty());
}

#[test]
fn what_a_dead_run_left_is_cleared_by_the_next() {
    let place = Place::new();
    let mut suite = place.waiting("exec sleep 600");
    let mark = place.mark();
    let mut suite = suite.spawn().unwrap();
    until("the router did not start", || !processes_with(&mark).is_empty());
    // The guard goes first, so that nobody clears up.
    let guards = || -> Vec<i32> {
        let threads = std::fs::read_dir(format!("/proc/{}/task", suite.id())).unwrap();
        let children: String = threads
            .filter_map(|thread| std::fs::read_to_string(thread.ok()?.path().join("children")).ok())
            .collect();
        let is_guard = |process: &i32| {
            std::fs::read_to_string(format!("/proc/{process}/cmdline"))
                .is_ok_and(|line| line.contains("guard-routers"))
        };
        children.split_whitespace().filter_map(|word| word.parse().ok()).filter(is_guard).collect()
    };
    // A process says nothing of itself while its program is being loaded.
    until("there is no guard", || !guards().is_empty());
    for guard in guards() {
        let _ = kill_process(Pid::from_raw(guard).unwrap(), Signal::KILL);
    }
    kill(&mut suite);
    until("the router was ended with its suite", || !processes_with(&mark).is_empty());
    assert!(!place.left().is_empty());
    call(&mut place.suite(&["run", ONE, "--reference"])).with(0);
    until("a router was left", || processes_with(&mark).is_empty());
    assert_eq!(place.left(), Vec::<String>::new());
}

#[test]
fn a_full_queue_of_connections_does_not_hold_the_suite_up() {
    let place = Place::new();
    // It listens with a queue of one connection, fills it, and accepts none.
    let script = "exec python3 - <<'END'\n\
                  import os, socket, time\n\
                  host, port = os.environ['CELLS_LISTEN'].split(':')\n\
                  s = socket.socket(); s.bind((host, int(port)))\n\
                  s.listen(0)\n\
                  held = []\n\
                  for _ in range(3):\n\
                  \x20   c = socket.socket(); c.setblocking(False)\n\
                  \x20   c.connect_ex((host, int(port))); held.append(c)\n\
                  time.sleep(600)\n\
                  END";
    let began = Instant::now();
    place.run(script).with(1);
    // The limit of the contract is 10 seconds; an attempt to connect takes over two minutes.
    assert!(began.elapsed() < Duration::from_secs(40), "{:?}", began.elapsed());
}

#[test]
fn a_router_file_of_the_folder_is_taken_or_mentioned() {
    let place = Place::new();
    place.router(LONG);
    let file = "name = \"Waypoint\"\ncommand = [\"./router\"]\nprotocols = [\"learning\"]\n";
    std::fs::write(Path::new(place.folder.path()).join("router.toml"), file).unwrap();
    let report = |arguments: &[&str]| {
        let words = [&["run", ONE, "--report=json=r.json"], arguments].concat();
        let ended = call(&mut place.suite(&words)).with(0);
        (text(place.folder.path(), "r.json"), ended)
    };
    let (record, ended) = report(&[]);
    ended.says("router.toml of this folder");
    assert!(record.contains("Waypoint"), "{record}");
    let (record, ended) = report(&["--reference"]);
    ended.never("router.toml");
    assert!(record.contains("reference router"), "{record}");
    let (record, ended) = report(&["--", PROGRAM, "router"]);
    ended.says("router.toml of this folder was not taken");
    assert!(!record.contains("Waypoint"), "{record}");
}

/// A router that leaves a file when it begins, and listens once five have begun.
const FIVE_AT_ONCE: &str = r#"#!/bin/sh
begun() { set -- "$FOLDER"/begun/*; echo $#; }
: >"$FOLDER/begun/$$"
until [ "$(begun)" -ge 5 ]; do sleep 0.02; done
exec "$SUITE" router
"#;

#[test]
fn the_next_routers_start_while_one_starts() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    // The first five routers wait for each other: with two jobs, they do so without end if each of
    // them holds one.
    let router = folder.join("router");
    std::fs::create_dir(folder.join("begun")).unwrap();
    write_script(&router, FIVE_AT_ONCE);
    let mut suite =
        program(&["run", "project_signed_in", "--jobs=2", "--report=json=r.json", "--"]);
    suite.arg(router).current_dir(folder);
    call(suite.env("FOLDER", folder).env("TMPDIR", folder).env("SUITE", PROGRAM)).with(0);
    let record = json(folder, "r.json");
    let starts = &record["run"]["starts"];
    let begun = std::fs::read_dir(folder.join("begun")).unwrap().count();
    assert_eq!(starts["number"], begun, "{starts}");
    assert!(starts["took_ms"].as_u64().unwrap() > 0, "{starts}");
}
