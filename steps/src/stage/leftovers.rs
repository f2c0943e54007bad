//! What dead runs left: their folders, and the processes in them.
//!
//! Each folder of a scenario has a file that its process keeps locked. The system releases the lock
//! when the process ends, however it ends. So a folder whose lock can be taken is a dead run's.

use std::fs::File;
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::processes;

/// How the names of folders begin.
pub(super) const PREFIX: &str = "cc-";
/// The name of the locked file.
const LOCK: &str = "lock";
/// How long a folder is removed again and again while a killed process still writes into it.
const REMOVAL_LIMIT: Duration = Duration::from_secs(2);

/// Marks a new folder as in use, for as long as the file is open. A folder without the mark counts
/// as one that is being made.
pub(super) fn mark(folder: &Path) -> io::Result<File> {
    // The file gets its name only once it is locked, so that nobody can find it unlocked.
    let unnamed = folder.join("lock.new");
    let lock = File::create(&unnamed)?;
    lock.lock()?;
    std::fs::rename(unnamed, folder.join(LOCK))?;
    Ok(lock)
}

/// Ends the processes of dead runs, and removes their folders.
pub(super) fn clear() {
    clear_in(&std::env::temp_dir());
}

fn clear_in(temporary: &Path) {
    // A folder that cannot be read has nothing that could be removed.
    let entries = std::fs::read_dir(temporary).into_iter().flatten().filter_map(Result::ok);
    let named = entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(PREFIX));
    // The locks are kept until the end, so that no other run clears the same folder.
    let (folders, _locks): (Vec<PathBuf>, Vec<File>) = named
        .map(|entry| entry.path())
        .filter_map(|path| Some((path.clone(), lock_of_dead(&path)?)))
        .unzip();
    processes::end_all_of(&folders);
    remove_all(&folders);
}

/// Removes folders, whose processes have been killed.
pub(super) fn remove_all(folders: &[PathBuf]) {
    let limit = Instant::now() + REMOVAL_LIMIT;
    folders.iter().for_each(|folder| remove(folder, limit));
}

/// Removes a folder. A killed process, or another thread of this one, can still write into it for a
/// moment; then it is removed again, until the limit.
fn remove(folder: &Path, limit: Instant) {
    while std::fs::remove_dir_all(folder).is_err() && folder.exists() && Instant::now() < limit {
        std::thread::yield_now();
    }
}

/// The lock of a dead run's folder. The folder and the lock belong to this user.
fn lock_of_dead(folder: &Path) -> Option<File> {
    let user = rustix::process::getuid().as_raw();
    let found = std::fs::symlink_metadata(folder).ok()?;
    let path = folder.join(LOCK);
    let lock = std::fs::symlink_metadata(&path).ok()?;
    // Opening something else than a file could take for ever.
    if !found.is_dir() || found.uid() != user || !lock.is_file() || lock.uid() != user {
        return None;
    }
    let lock = File::open(path).ok()?;
    lock.try_lock().ok()?;
    Some(lock)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_of_dead_runs_alone_are_removed() {
        let temporary = tempfile::tempdir().unwrap();
        let folder = |name: &str| {
            let path = temporary.path().join(name);
            std::fs::create_dir(&path).unwrap();
            path
        };
        let (dead, alive, new, other) =
            (folder("cc-dead"), folder("cc-alive"), folder("cc-new"), folder("other"));
        drop((mark(&dead).unwrap(), mark(&other).unwrap()));
        let _lock = mark(&alive).unwrap();
        clear_in(temporary.path());
        assert!(!dead.exists());
        assert!(alive.exists() && new.exists() && other.exists());
    }
}
