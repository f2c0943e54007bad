//! The guard: a second process that ends the suite's routers, and removes its folders,
//! where the suite itself cannot, because it was killed.
//!
//! The guard reads from a pipe which folders and process groups there are. The pipe ends when the
//! suite does, however it ends; then the guard clears what is left. It is this program, started
//! with one word. A program that does not call [`serve_or_allow`] has no guard.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io::{self, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::process::Signal;

use super::{leftovers, processes, session};

/// The argument that makes this program the guard.
const WORD: &str = "guard-routers";

/// Ends what the guard is told at once: a path has every other byte, also a line feed.
const END: u8 = 0;

/// Whether this program may start children of itself: its `main` knows them by their arguments.
static ALLOWED: AtomicBool = AtomicBool::new(false);

/// Whether this program may start itself again, as a guard and as routers in their own sessions.
pub(super) fn own_children_are_allowed() -> bool {
    ALLOWED.load(Ordering::Relaxed)
}

/// Serves as the guard, or becomes a router in its own session, if this process was started for
/// that; returns the exit code. Otherwise allows this process to start such ones. To be called
/// before anything else.
pub fn serve_or_allow() -> Option<ExitCode> {
    let mut arguments = std::env::args_os().skip(1).peekable();
    let word = arguments.next().unwrap_or_default();
    if word == WORD && arguments.peek().is_none() {
        serve(io::stdin().lock());
        return Some(ExitCode::SUCCESS);
    }
    if word == session::WORD && arguments.peek().is_some() {
        return Some(session::become_another(arguments));
    }
    ALLOWED.store(true, Ordering::Relaxed);
    None
}

/// The suite's side: what the guard is told.
#[derive(Debug)]
pub(super) struct Guard(Option<Child>);

impl Guard {
    /// Starts the guard. A suite without one still runs; what it leaves is cleared by a later run.
    pub(super) fn start() -> Self {
        Self(own_children_are_allowed().then(|| spawn().ok()).flatten())
    }

    pub(super) fn tell(&mut self, mut line: Vec<u8>) {
        let pipe = self.0.as_mut().and_then(|guard| guard.stdin.as_mut());
        let Some(pipe) = pipe else { return };
        line.push(END);
        // A guard that somebody ended or stopped must not hold the suite up. It is ended before its
        // pipe is: otherwise it would end what it was told of, although the suite still has it.
        if pipe.write_all(&line).is_err()
            && let Some(mut guard) = self.0.take()
        {
            let _ = guard.kill();
            let _ = guard.wait();
        }
    }
}

fn spawn() -> io::Result<Child> {
    let guard = Command::new(std::env::current_exe()?)
        .arg(WORD)
        // Out of the group that a terminal or a `kill` of the whole group reaches, and in no folder
        // that somebody wants to remove.
        .process_group(0)
        .current_dir("/")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    let pipe = guard.stdin.as_ref().ok_or_else(|| io::Error::other("no pipe"))?;
    rustix::io::ioctl_fionbio(pipe, true)?;
    Ok(guard)
}

/// The folders and process groups that the suite has at the moment, by what it said.
#[derive(Debug)]
pub(super) struct Known {
    folders: BTreeSet<PathBuf>,
    pub(super) leaders: BTreeSet<i32>,
}

impl Known {
    pub(super) const NOTHING: Self = Self { folders: BTreeSet::new(), leaders: BTreeSet::new() };

    pub(super) fn hear(&mut self, line: &[u8]) {
        let mut parts = line.splitn(2, |byte| *byte == b' ');
        let (Some(what), Some(value)) = (parts.next(), parts.next()) else { return };
        let folder = || PathBuf::from(OsStr::from_bytes(value));
        let leader = || std::str::from_utf8(value).ok().and_then(|text| text.parse::<i32>().ok());
        match what {
            b"+folder" => drop(self.folders.insert(folder())),
            b"-folder" => drop(self.folders.remove(&folder())),
            b"+leader" => self.leaders.extend(leader()),
            b"-leader" => {
                leader().map(|leader| self.leaders.remove(&leader));
            }
            _ => {}
        }
    }

    /// Kills all groups and what they left, and removes all folders.
    pub(super) fn clear(self) {
        self.leaders.iter().for_each(|leader| processes::send(*leader, Signal::KILL));
        let is_own = |folder: &PathBuf| leftovers::lock_of(folder).is_some();
        let folders: Vec<_> = self.folders.into_iter().filter(is_own).collect();
        processes::end_all_of(&folders);
        leftovers::remove_all(&folders);
    }
}

fn serve(mut pipe: impl io::BufRead) {
    let mut known = Known::NOTHING;
    let mut line = Vec::new();
    while matches!(pipe.read_until(END, &mut line), Ok(length) if length > 0) {
        // A line without an end was cut: the number in it would name another process.
        if let Some(line) = line.strip_suffix(&[END]) {
            known.hear(line);
        }
        line.clear();
    }
    known.clear();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_with_a_line_feed_names_no_other_folder() {
        let temporary = tempfile::tempdir().unwrap();
        let own = temporary.path().join("own");
        let (mut told, within) = (Vec::new(), temporary.path().join("own\n+folder b"));
        std::fs::create_dir_all(&own).unwrap();
        std::fs::create_dir_all(&within).unwrap();
        let (folder, _) = leftovers::make(&within).unwrap();
        let (own_folder, _) = leftovers::make(&own).unwrap();
        for path in [&folder, &own] {
            told.extend([b"+folder ", path.as_os_str().as_bytes(), &[END]].concat());
        }
        told.extend([b"+folder ", own_folder.as_os_str().as_bytes()].concat());
        serve(&told[..]);
        assert!(!folder.exists() && within.exists() && own_folder.exists());
    }
}
