//! The process groups and folders that this process makes and that must not outlive it.

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, Once, mpsc};

use rustix::process::Signal;
use tokio::signal::unix::{SignalKind, signal};

use super::guard::{Guard, Known};
use super::shared_folder::check_temporary;
use super::stop::{self, StopReason};
use super::{leftovers, processes};

/// What ends with this process; `None` once the process is ending.
static OWNED: Mutex<Option<Owned>> = Mutex::new(Some(Owned { known: Known::NOTHING, guard: None }));

struct Owned {
    known: Known,
    /// Started with the first folder.
    guard: Option<Guard>,
}

impl Owned {
    /// Notes that there is something from now on, or no longer, and tells the guard.
    fn note(&mut self, what: &str, value: impl AsRef<OsStr>) {
        let line = [what, " "].map(str::as_bytes).concat();
        let line = [&line, value.as_ref().as_bytes()].concat();
        self.known.hear(&line);
        self.guard.get_or_insert_with(Guard::start).tell(line);
    }
}

fn owned() -> MutexGuard<'static, Option<Owned>> {
    OWNED.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

fn stopping() -> io::Error {
    io::Error::other("the suite is being stopped")
}

/// A temporary folder. It is removed when it is dropped, and when a signal ends the process.
#[derive(Debug)]
pub(super) struct Folder {
    path: PathBuf,
    /// Marks the folder as in use.
    _lock: File,
}

impl Folder {
    /// Makes a folder with a short path.
    pub(super) fn new() -> io::Result<Self> {
        handle_signals();
        check_temporary(&std::env::temp_dir())?;
        let mut owned = owned();
        let owned = owned.as_mut().ok_or_else(stopping)?;
        let (path, lock) = leftovers::make(&std::env::temp_dir())?;
        owned.note("+folder", &path);
        Ok(Self { path, _lock: lock })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // The folder leaves the registry after it is gone: a signal may end this process meanwhile.
        leftovers::remove_all(std::slice::from_ref(&self.path));
        // One that could not be removed, where no further file can be opened, goes in the end.
        if let Some(owned) = owned().as_mut().filter(|_| !self.path.exists()) {
            owned.note("-folder", &self.path);
        }
    }
}

/// Starts a process group under the lock of the registry, so that none outlives this process.
/// `start` returns the process id of the leader.
pub(super) fn start<T>(start: impl FnOnce() -> io::Result<(i32, T)>) -> io::Result<T> {
    handle_signals();
    let mut owned = owned();
    let owned = owned.as_mut().ok_or_else(stopping)?;
    let (leader, started) = start()?;
    owned.note("+leader", leader.to_string());
    Ok(started)
}

/// Kills what is left of a group, and removes it from the registry.
pub(super) fn end(leader: i32) {
    let mut owned = owned();
    if let Some(owned) = owned.as_mut().filter(|owned| owned.known.leaders.contains(&leader)) {
        processes::send(leader, Signal::KILL);
        owned.note("-leader", leader.to_string());
    }
}

/// Removes a group from the registry without ending it: it may outlive this process.
pub(super) fn release(leader: i32) {
    if let Some(owned) = owned().as_mut() {
        owned.note("-leader", leader.to_string());
    }
}

/// Clears what dead runs left. Makes SIGINT, SIGTERM and SIGHUP tell the program's closure; where it
/// gave none, they kill all groups and remove all folders before this process exits with the status
/// that shells give to that signal. A signal that this process was started to ignore, as by `nohup`,
/// stays ignored (Linux). Returns when the handlers are installed.
pub(super) fn handle_signals() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        leftovers::clear();
        let (installed, handlers) = mpsc::channel::<()>();
        let watch = move || {
            let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build()
            else {
                return;
            };
            let status = runtime.block_on(async {
                let ignored = processes::ignored_signals();
                let heard = |kind: SignalKind| {
                    let is_ignored = ignored >> (kind.as_raw_value() - 1) & 1 == 1;
                    (!is_ignored).then(|| signal(kind)).transpose()
                };
                let mut int = heard(SignalKind::interrupt())?;
                let mut term = heard(SignalKind::terminate())?;
                let mut hup = heard(SignalKind::hangup())?;
                // A file that may not grow is an error of its write, which says so, and not the end.
                drop(signal(SignalKind::from_raw(rustix::process::Signal::XFSZ.as_raw()))?);
                drop(installed);
                io::Result::Ok(loop {
                    let (reason, status) = tokio::select! {
                        () = received(&mut int) => (StopReason::Interrupted, 130),
                        () = received(&mut term) => (StopReason::Terminated, 143),
                        () = received(&mut hup) => (StopReason::HungUp, 129),
                    };
                    // The first one stops the run, by the program's closure; a later one ends it at
                    // once.
                    if !stop::tell(reason) {
                        break status;
                    }
                })
            });
            // Without handlers the default of the system applies: it ends this process alone.
            let Ok(status) = status else { return };
            end_with_routers(status);
        };
        // Where no thread can be started, the scenario fails for the same reason and says so.
        let _ = std::thread::Builder::new().name("signals".to_owned()).spawn(watch);
        // Nothing is sent: the wait ends when the sender is dropped, also where the thread fails.
        let _ = handlers.recv();
    });
}

/// Waits for a signal; without end, where it stays ignored.
async fn received(signal: &mut Option<tokio::signal::unix::Signal>) {
    match signal {
        Some(signal) => _ = signal.recv().await,
        None => std::future::pending().await,
    }
}

/// Kills all groups and what they left, removes all folders, and exits with this status.
pub(super) fn end_with_routers(status: i32) -> ! {
    if let Some(owned) = owned().take() {
        owned.known.clear();
    }
    std::process::exit(status);
}
