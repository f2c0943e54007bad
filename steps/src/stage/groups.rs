//! The process groups that this process has started and that must not outlive it.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, Once};

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::signal::unix::{SignalKind, signal};

/// Groups by leader, with the folder that goes with them; `None` once the process is to end.
static GROUPS: Mutex<Option<BTreeMap<i32, PathBuf>>> = Mutex::new(Some(BTreeMap::new()));

fn groups() -> MutexGuard<'static, Option<BTreeMap<i32, PathBuf>>> {
    GROUPS.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// Starts a group under the registry's lock, so that none can slip past the end of the process.
/// `start` answers with the leader's process id.
pub(super) fn start<T>(folder: PathBuf, start: impl FnOnce() -> io::Result<(i32, T)>) -> io::Result<T> {
    kill_all_on_signals();
    let mut groups = groups();
    let Some(groups) = groups.as_mut() else { return Err(io::Error::other("the suite is being stopped")) };
    let (leader, started) = start()?;
    groups.insert(leader, folder);
    Ok(started)
}

/// Sends a signal to a whole group; a group that is gone is no error.
pub(super) fn send(leader: i32, signal: Signal) {
    if let Some(pid) = Pid::from_raw(leader) {
        // The only possible error here is that nobody is left to be told.
        let _ = kill_process_group(pid, signal);
    }
}

/// Kills what is left of a group and forgets it.
pub(super) fn end(leader: i32) {
    if groups().as_mut().is_some_and(|groups| groups.remove(&leader).is_some()) {
        send(leader, Signal::KILL);
    }
}

/// From now on SIGINT, SIGTERM and SIGHUP kill all groups and remove their folders before this
/// process ends, with the status that shells give to that signal.
fn kill_all_on_signals() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        let watch = || {
            let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() else { return };
            let status = runtime.block_on(async {
                let (mut int, mut term, mut hup) =
                    (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?, signal(SignalKind::hangup())?);
                io::Result::Ok(tokio::select! {
                    _ = int.recv() => 130,
                    _ = term.recv() => 143,
                    _ = hup.recv() => 129,
                })
            });
            // Without signal handlers the system's own conduct stays, which ends this process alone.
            let Ok(status) = status else { return };
            for (leader, folder) in groups().take().unwrap_or_default() {
                send(leader, Signal::KILL);
                let _ = std::fs::remove_dir_all(folder);
            }
            std::process::exit(status);
        };
        // Where no thread can be had, the scenario itself is about to fail and say so.
        let _ = std::thread::Builder::new().name("signals".to_owned()).spawn(watch);
    });
}
