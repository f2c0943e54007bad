//! Processes that a router left behind: out of its process group, or after the end of the suite
//! that started it.
//!
//! A process belongs to a scenario if its `TMPDIR` or its working directory lies in the folder of
//! the scenario, as a router's does. (A running router, and its reset command, have neither: the
//! suite ends no router that it has not started.) Linux says both in `/proc`; elsewhere process
//! groups alone are ended.

use std::ffi::OsStr;
use std::fs::read_dir;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::process::{
    Pid, Signal, WaitOptions, getpid, getuid, kill_process, kill_process_group, waitpid,
};

/// How long killed processes are waited for.
const EXIT_LIMIT: Duration = Duration::from_secs(2);
/// Between two looks at processes that have been killed.
const PAUSE: Duration = Duration::from_micros(200);
/// The flag of a process that is exiting, in `/proc/PID/stat`.
const EXITING: u32 = 0x4;
/// The flag of a thread of the kernel, in `/proc/PID/stat`.
const OF_KERNEL: u32 = 0x0020_0000;

/// What `/proc/PID/stat` says of a process.
struct Stat {
    is_zombie: bool,
    parent: i32,
    group: i32,
    flags: u32,
    /// Where the environment begins and ends in memory. 0 while a program is being loaded.
    environment: [u64; 2],
}

impl Stat {
    /// Reads the one line of the file; `man 5 proc_pid_stat` numbers its words.
    fn parse(line: &str) -> Option<Self> {
        // The name of the program stands in parentheses, and may have any character in it.
        let words: Vec<_> = line.rsplit_once(')')?.1.split_whitespace().collect();
        let word = |number: usize| words.get(number - 3);
        Some(Self {
            is_zombie: *word(3)? == "Z",
            parent: word(4)?.parse().ok()?,
            group: word(5)?.parse().ok()?,
            flags: word(9)?.parse().ok()?,
            environment: [word(50)?.parse().ok()?, word(51)?.parse().ok()?],
        })
    }

    fn is_exiting(&self) -> bool {
        self.is_zombie || self.flags & EXITING != 0
    }

    /// Whether a process whose environment reads as empty can turn out to have one: it runs a
    /// program, and nothing says that this program was started without an environment.
    fn may_get_environment(&self) -> bool {
        let [begin, end] = self.environment;
        let is_truly_empty = begin == end && end != 0;
        !self.is_exiting() && self.flags & OF_KERNEL == 0 && !is_truly_empty
    }
}

fn stat(process: i32) -> Option<Stat> {
    Stat::parse(&std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?)
}

/// Whether a process is exiting by now: its connections may be closed, although it cannot be waited
/// for yet. Not known outside Linux.
pub(super) fn is_exiting(process: i32) -> bool {
    stat(process).is_some_and(|stat| stat.is_exiting())
}

/// The signals that this process ignores, a bit each, the lowest for signal 1. None is known
/// outside Linux.
pub(super) fn ignored_signals() -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = text.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or_default()
}

/// The longest that a thread of a process group has waited for a processor; zero where the system
/// does not tell.
pub(super) fn queued_longest(leader: i32) -> Duration {
    let is_of_group = |process: &i32| stat(*process).is_some_and(|stat| stat.group == leader);
    let group = all().into_iter().flatten().filter(is_of_group);
    let threads = group.filter_map(|process| read_dir(format!("/proc/{process}/task")).ok());
    threads
        .flatten()
        .flatten()
        .filter_map(|thread| queued(&thread.path()))
        .max()
        .unwrap_or_default()
}

/// How long a thread could have gone on, and no processor was free: the second word of
/// `/proc/PID/task/THREAD/schedstat`, in nanoseconds.
fn queued(thread: &Path) -> Option<Duration> {
    let text = std::fs::read_to_string(thread.join("schedstat")).ok()?;
    text.split_whitespace().nth(1)?.parse().ok().map(Duration::from_nanos)
}

/// Makes this process the parent of processes whose own parents have exited, so that it finds what
/// its routers leave behind. Without its own routers it has no use for that: it would have to wait
/// for the routers that a reset command starts.
pub(super) fn adopt_orphans() {
    #[cfg(target_os = "linux")]
    {
        use std::sync::Once;
        static ADOPTED: Once = Once::new();
        // Without it, processes that leave their group are found after the run instead.
        ADOPTED.call_once(|| {
            let _ = rustix::process::set_child_subreaper(Some(getpid()));
        });
    }
}

/// Ends the processes that a router left behind: those that this process has adopted and that
/// belong to the folder. Its process group has been killed before; those of the group that were
/// adopted are reaped.
pub(super) fn end_adopted(leader: i32, folder: &Path) {
    let folders = [folder.to_owned()];
    let belongs = |process| match stat(process).filter(|_| process != leader) {
        Some(stat) if stat.group == leader => Belongs::Yes,
        Some(stat) => belongs_to(process, &stat, &folders),
        None => Belongs::No,
    };
    end_until_none_is_left(adopted, belongs, |process, limit| {
        kill(process);
        reap(process, limit);
    });
}

/// Ends the processes that belong, again and again until none is left: what is killed may have
/// started another one in the meantime. `end` is told the end of all waits.
fn end_until_none_is_left<I: Iterator<Item = i32>>(
    processes: impl Fn() -> I,
    belongs: impl Fn(i32) -> Belongs,
    end: impl Fn(i32, Instant),
) {
    let limit = Instant::now() + EXIT_LIMIT;
    loop {
        let mut is_any_left = false;
        for process in processes() {
            let belongs = belongs(process);
            if belongs == Belongs::Yes {
                end(process, limit);
            }
            is_any_left |= belongs != Belongs::No;
        }
        if !is_any_left || Instant::now() >= limit {
            return;
        }
        std::thread::sleep(PAUSE);
    }
}

/// Waits, in this thread, for what killed processes do soon.
pub(super) fn wait_until(mut holds: impl FnMut() -> bool) {
    let limit = Instant::now() + EXIT_LIMIT;
    while !holds() && Instant::now() < limit {
        std::thread::sleep(PAUSE);
    }
}

/// The children of this process, as far as its first thread has them: orphans come to that one.
fn adopted() -> impl Iterator<Item = i32> {
    let own = getpid().as_raw_pid();
    let path = format!("/proc/{own}/task/{own}/children");
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.split_whitespace().filter_map(|word| word.parse().ok()).collect::<Vec<_>>().into_iter()
}

/// Ends all processes that belong to one of these folders, whoever their parent is, but not this
/// one.
pub(super) fn end_all_of(folders: &[PathBuf]) {
    if folders.is_empty() {
        return;
    }
    let own = getpid().as_raw_pid();
    let belongs = |process| match stat(process) {
        Some(stat) if process != own && stat.parent != 0 => belongs_to(process, &stat, folders),
        _ => Belongs::No,
    };
    let all = || all().into_iter().flatten();
    end_until_none_is_left(all, belongs, |process, _limit| kill(process));
}

/// The ids of all processes.
fn all() -> io::Result<impl Iterator<Item = i32>> {
    let entries = std::fs::read_dir("/proc")?;
    Ok(entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok()))
}

/// How many threads and processes the user of this process has, as far as `/proc` shows them.
pub(super) fn tasks_of_this_user() -> u64 {
    let user = getuid().as_raw();
    let is_own = |process: &i32| {
        std::fs::metadata(format!("/proc/{process}")).is_ok_and(|found| found.uid() == user)
    };
    let tasks =
        |process| std::fs::read_dir(format!("/proc/{process}/task")).map_or(0, Iterator::count);
    all().into_iter().flatten().filter(is_own).map(tasks).sum::<usize>() as u64
}

/// The processes of a process group.
pub fn processes_of(leader: i32) -> io::Result<impl Iterator<Item = i32>> {
    Ok(all()?.filter(move |process| group_of(*process) == Some(leader)))
}

pub fn group_of(process: i32) -> Option<i32> {
    stat(process).map(|stat| stat.group)
}

/// Whether a process belongs to a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Belongs {
    Yes,
    No,
    /// Its program is being loaded: the environment cannot be read for a moment. A process that was
    /// just started is in this state, also after its parent was told that it had started.
    NotKnownYet,
}

/// Whether the working directory of a process, or its `TMPDIR`, lies in one of the folders.
fn belongs_to(process: i32, stat: &Stat, folders: &[PathBuf]) -> Belongs {
    if stat.is_zombie {
        return Belongs::No;
    }
    let is_in = |path: &Path| folders.iter().any(|folder| path.starts_with(folder));
    if std::fs::read_link(format!("/proc/{process}/cwd")).is_ok_and(|path| is_in(&path)) {
        return Belongs::Yes;
    }
    // If this fails, the process has ended or belongs to somebody else.
    let Ok(environment) = std::fs::read(format!("/proc/{process}/environ")) else {
        return Belongs::No;
    };
    let temporary_is_in = environment.split(|byte| *byte == 0).any(|line| {
        line.strip_prefix(b"TMPDIR=")
            .is_some_and(|value| is_in(Path::new(OsStr::from_bytes(value))))
    });
    if temporary_is_in {
        return Belongs::Yes;
    }
    // `stat` is of the moment before: another program may have been loaded since.
    let may_belong = environment.is_empty()
        && self::stat(process).is_some_and(|stat| stat.may_get_environment());
    if may_belong { Belongs::NotKnownYet } else { Belongs::No }
}

/// Sends a signal to a whole group. A group that is gone is not an error.
pub(super) fn send(leader: i32, signal: Signal) {
    if let Some(pid) = Pid::from_raw(leader) {
        // The only possible error is that the group has no process left.
        let _ = kill_process_group(pid, signal);
    }
}

fn kill(process: i32) {
    if let Some(pid) = Pid::from_raw(process) {
        // The only possible error that matters is that it is gone.
        let _ = kill_process(pid, Signal::KILL);
    }
}

/// Waits for the exit of an adopted process that was killed.
fn reap(process: i32, limit: Instant) {
    let Some(pid) = Pid::from_raw(process) else { return };
    while matches!(waitpid(Some(pid), WaitOptions::NOHANG), Ok(None)) && Instant::now() < limit {
        std::thread::sleep(PAUSE);
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::cell::{Cell, RefCell};
    use std::io::{Read as _, Write as _};
    use std::process::{Command, Stdio};

    use super::*;

    fn is_in(process: i32, folder: &Path) -> Belongs {
        belongs_to(process, &stat(process).unwrap(), &[folder.to_owned()])
    }

    #[test]
    fn a_process_is_known_by_its_environment_and_by_its_folder() {
        let folder = tempfile::tempdir().unwrap();
        let other = tempfile::tempdir().unwrap();
        let of = |command: &mut Command| {
            // `cat` ends with its standard input, also where this test fails.
            let command = command.stdin(Stdio::piped()).stdout(Stdio::piped());
            let mut child = command.spawn().unwrap();
            // The program itself runs, and its environment is known, once it echoes.
            child.stdin.as_mut().unwrap().write_all(b"a").unwrap();
            child.stdout.as_mut().unwrap().read_exact(&mut [0]).unwrap();
            let process = i32::try_from(child.id()).unwrap();
            let known = is_in(process, folder.path());
            assert_eq!(is_in(process, other.path()), Belongs::No);
            drop(child.wait_with_output());
            known
        };
        let cat = || Command::new("cat");
        assert_eq!(of(cat().env("TMPDIR", folder.path().join("eu"))), Belongs::Yes);
        assert_eq!(of(cat().current_dir(folder.path())), Belongs::Yes);
        assert_eq!(of(cat().env("CELLS_OTHER", folder.path())), Belongs::No);
        // A program that was started without an environment never gets one later, so it counts as
        // foreign.
        assert_eq!(of(cat().env_clear()), Belongs::No);
    }

    #[test]
    fn an_empty_environment_is_final_unless_a_program_is_being_loaded() {
        // Words 10 to 49 of the line say nothing here.
        let stat = |state: &str, flags: u32, begin: u64, end: u64| {
            let rest = "0 ".repeat(40);
            let line = format!("7 (a) b) {state} 1 7 7 0 -1 {flags} {rest}{begin} {end} 0\n");
            Stat::parse(&line).unwrap()
        };
        assert!(stat("R", 0, 0, 0).may_get_environment());
        assert!(stat("R", 0, 4096, 0).may_get_environment());
        // Loaded since its environment was read.
        assert!(stat("S", 0, 4096, 5000).may_get_environment());
        assert!(!stat("S", 0, 4096, 4096).may_get_environment());
        assert!(!stat("Z", 0, 0, 0).may_get_environment());
        assert!(!stat("R", EXITING, 0, 0).may_get_environment());
        assert!(!stat("I", OF_KERNEL, 0, 0).may_get_environment());
    }

    #[test]
    fn what_is_not_known_yet_is_looked_at_again() {
        let known = RefCell::new(vec![Belongs::No, Belongs::Yes, Belongs::NotKnownYet]);
        let ended = Cell::new(0);
        let belongs = |_| known.borrow_mut().pop().unwrap();
        end_until_none_is_left(|| [7].into_iter(), belongs, |_, _| ended.set(ended.get() + 1));
        assert!(known.borrow().is_empty());
        assert_eq!(ended.get(), 1);
    }

    #[test]
    fn a_process_that_was_just_started_is_ended_too() {
        let folder = tempfile::tempdir().unwrap();
        for _ in 0..50 {
            let mut sleep = Command::new("sleep");
            let mut child = sleep.arg("60").env("TMPDIR", folder.path()).spawn().unwrap();
            end_all_of(&[folder.path().to_owned()]);
            assert!(!child.wait().unwrap().success());
        }
    }
}
