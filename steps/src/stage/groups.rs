//! The process groups and folders that this process makes and that must not outlive it.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, Once};

use rustix::process::{Pid, Signal, kill_process_group};
use tempfile::TempDir;
use tokio::signal::unix::{SignalKind, signal};

/// What ends with this process; `None` once the process is ending.
static OWNED: Mutex<Option<Owned>> =
    Mutex::new(Some(Owned { leaders: BTreeSet::new(), folders: BTreeSet::new() }));

struct Owned {
    leaders: BTreeSet<i32>,
    folders: BTreeSet<PathBuf>,
}

fn owned() -> MutexGuard<'static, Option<Owned>> {
    OWNED.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

fn stopping() -> io::Error {
    io::Error::other("the suite is being stopped")
}

/// A temporary folder. It is removed when it is dropped, and when a signal ends the process.
#[derive(Debug)]
pub(super) struct Folder(TempDir);

impl Folder {
    /// Makes a folder with a short path.
    pub(super) fn new() -> io::Result<Self> {
        kill_all_on_signals();
        let mut owned = owned();
        let owned = owned.as_mut().ok_or_else(stopping)?;
        let folder = tempfile::Builder::new().prefix("cc-").tempdir()?;
        owned.folders.insert(folder.path().to_owned());
        Ok(Self(folder))
    }

    pub(super) fn path(&self) -> &Path {
        self.0.path()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if let Some(owned) = owned().as_mut() {
            owned.folders.remove(self.0.path());
        }
    }
}

/// Starts a process group under the lock of the registry, so that none outlives this process.
/// `start` returns the process id of the leader.
pub(super) fn start<T>(start: impl FnOnce() -> io::Result<(i32, T)>) -> io::Result<T> {
    kill_all_on_signals();
    let mut owned = owned();
    let owned = owned.as_mut().ok_or_else(stopping)?;
    let (leader, started) = start()?;
    owned.leaders.insert(leader);
    Ok(started)
}

/// Sends a signal to a whole group. A group that is gone is not an error.
pub(super) fn send(leader: i32, signal: Signal) {
    if let Some(pid) = Pid::from_raw(leader) {
        // The only possible error is that the group has no process left.
        let _ = kill_process_group(pid, signal);
    }
}

/// Kills what is left of a group, and removes it from the registry.
pub(super) fn end(leader: i32) {
    if owned().as_mut().is_some_and(|owned| owned.leaders.remove(&leader)) {
        send(leader, Signal::KILL);
    }
}

/// Makes SIGINT, SIGTERM and SIGHUP kill all groups and remove all folders before this process
/// exits with the status that shells give to that signal.
fn kill_all_on_signals() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        let watch = || {
            let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build()
            else {
                return;
            };
            let status = runtime.block_on(async {
                let (mut int, mut term, mut hup) = (
                    signal(SignalKind::interrupt())?,
                    signal(SignalKind::terminate())?,
                    signal(SignalKind::hangup())?,
                );
                io::Result::Ok(tokio::select! {
                    _ = int.recv() => 130,
                    _ = term.recv() => 143,
                    _ = hup.recv() => 129,
                })
            });
            // Without handlers the default of the system applies: it ends this process alone.
            let Ok(status) = status else { return };
            if let Some(owned) = owned().take() {
                owned.leaders.iter().for_each(|leader| send(*leader, Signal::KILL));
                // A process that still writes a file can keep its folder for a moment.
                for folder in &owned.folders {
                    let _gone = (0..100)
                        .any(|_| std::fs::remove_dir_all(folder).is_ok() || !folder.exists());
                }
            }
            std::process::exit(status);
        };
        // Where no thread can be started, the scenario fails for the same reason and says so.
        let _ = std::thread::Builder::new().name("signals".to_owned()).spawn(watch);
    });
}
