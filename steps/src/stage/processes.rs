//! Processes that a router left behind: out of its process group, or after the end of the suite
//! that started it.
//!
//! A process belongs to a scenario if its `TMPDIR` or its working directory lies in the folder of
//! the scenario, as a router's does. (A running router, and its reset command, have neither: the
//! suite ends no router that it has not started.) Linux says both in `/proc`; elsewhere process
//! groups alone are ended.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitOptions, getpid, kill_process, waitpid};

/// How long killed processes are waited for.
const EXIT_LIMIT: Duration = Duration::from_secs(2);
/// Between two looks at processes that have been killed.
const PAUSE: Duration = Duration::from_micros(200);
/// The flag of a process that is exiting, in `/proc/PID/stat`.
const EXITING: u32 = 0x4;

/// What `/proc/PID/stat` says of a process.
struct Stat {
    is_zombie: bool,
    parent: i32,
    group: i32,
    flags: u32,
}

fn stat(process: i32) -> Option<Stat> {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name of the program stands in parentheses, and may have any character in it.
    let mut words = text.rsplit_once(')')?.1.split_whitespace();
    let is_zombie = words.next()? == "Z";
    let mut number = || words.next()?.parse::<i64>().ok();
    let (parent, group, _session, _terminal, _foreground, flags) =
        (number()?, number()?, number()?, number()?, number()?, number()?);
    Some(Stat {
        is_zombie,
        parent: i32::try_from(parent).ok()?,
        group: i32::try_from(group).ok()?,
        flags: u32::try_from(flags).ok()?,
    })
}

/// Whether a process is exiting by now: its connections may be closed, although it cannot be waited
/// for yet. Not known outside Linux.
pub(super) fn is_exiting(process: i32) -> bool {
    stat(process).is_some_and(|stat| stat.is_zombie || stat.flags & EXITING != 0)
}

/// Makes this process the parent of processes whose own parents have exited, so that it finds what
/// its routers leave behind. Without routers of its own it has no use for that: it would have to
/// wait for the routers that a reset command starts.
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
    let limit = Instant::now() + EXIT_LIMIT;
    loop {
        let left: Vec<_> = adopted().filter(|process| is_left(*process, leader, folder)).collect();
        if left.is_empty() || Instant::now() > limit {
            return;
        }
        for process in left {
            kill(process);
            reap(process, limit);
        }
    }
}

/// Whether an adopted process comes from the router with this leader and folder.
fn is_left(process: i32, leader: i32, folder: &Path) -> bool {
    process != leader
        && stat(process).is_some_and(|stat| {
            stat.group == leader || !stat.is_zombie && belongs_to(process, &[folder.to_owned()])
        })
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
    let limit = Instant::now() + EXIT_LIMIT;
    loop {
        // What is killed may have started another one in the meantime.
        let left: Vec<_> = all()
            .filter(|process| {
                *process != getpid().as_raw_pid()
                    && belongs_to(*process, folders)
                    && stat(*process).is_some_and(|stat| !stat.is_zombie && stat.parent != 0)
            })
            .collect();
        if left.is_empty() || Instant::now() > limit {
            return;
        }
        left.into_iter().for_each(kill);
        std::thread::sleep(PAUSE);
    }
}

/// The ids of all processes.
fn all() -> impl Iterator<Item = i32> {
    std::fs::read_dir("/proc")
        .into_iter()
        .flatten()
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
}

/// Whether the working directory of a process, or its `TMPDIR`, lies in one of the folders.
fn belongs_to(process: i32, folders: &[PathBuf]) -> bool {
    let is_in = |path: &Path| folders.iter().any(|folder| path.starts_with(folder));
    if std::fs::read_link(format!("/proc/{process}/cwd")).is_ok_and(|path| is_in(&path)) {
        return true;
    }
    let environment = std::fs::read(format!("/proc/{process}/environ")).unwrap_or_default();
    environment.split(|byte| *byte == 0).any(|line| {
        line.strip_prefix(b"TMPDIR=")
            .is_some_and(|value| is_in(Path::new(OsStr::from_bytes(value))))
    })
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
    use std::io::{Read as _, Write as _};
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn a_process_is_known_by_its_environment_and_by_its_folder() {
        let folder = tempfile::tempdir().unwrap();
        let other = tempfile::tempdir().unwrap();
        let of = |command: &mut Command| {
            // `cat` ends with its standard input, also where this test fails.
            let command = command.stdin(Stdio::piped()).stdout(Stdio::piped());
            let mut child = command.spawn().unwrap();
            // `/proc` has no environment until the program itself runs, which its echo shows.
            child.stdin.as_mut().unwrap().write_all(b"a").unwrap();
            child.stdout.as_mut().unwrap().read_exact(&mut [0]).unwrap();
            let process = i32::try_from(child.id()).unwrap();
            let known = belongs_to(process, &[folder.path().to_owned()]);
            assert!(!belongs_to(process, &[other.path().to_owned()]));
            drop(child.wait_with_output());
            known
        };
        assert!(of(Command::new("cat").env("TMPDIR", folder.path().join("eu"))));
        assert!(of(Command::new("cat").current_dir(folder.path())));
        assert!(!of(Command::new("cat").env("CELLS_OTHER", folder.path())));
    }

    #[test]
    fn all_processes_of_a_folder_are_ended() {
        let folder = tempfile::tempdir().unwrap();
        let mut child = Command::new("sleep").arg("60").current_dir(folder.path()).spawn().unwrap();
        end_all_of(&[folder.path().to_owned()]);
        assert!(!child.wait().unwrap().success());
    }
}
