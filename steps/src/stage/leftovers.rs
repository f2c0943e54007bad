//! What dead runs left: their folders, and the processes in them.
//!
//! Each folder of a scenario has a file that its process keeps locked. The system releases the lock
//! when the process ends, however it ends. So a folder whose lock can be taken is a dead run's.
//! What the file says names its folder: neither a folder of somebody else nor a copy has such a
//! file.

use std::fs::{File, Metadata};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::fs::OFlags;
use tempfile::Builder;

use super::processes;

/// How the names of folders begin.
const PREFIX: &str = "cc-";
/// The name of the locked file.
const LOCK: &str = "lock";
/// How long a folder is removed again and again while a killed process still writes into it.
const REMOVAL_LIMIT: Duration = Duration::from_secs(2);

/// Makes a folder with a short path. It is in use for as long as the file is open; without the file
/// it counts as one that is being made.
pub(super) fn make(temporary: &Path) -> io::Result<(PathBuf, File)> {
    // The file is open before there is a folder: where no further file can be opened, no folder is
    // left, which nothing could remove either. It gets its name only once it is locked, so that
    // nobody can find it unlocked.
    let mut lock = Builder::new().prefix("cells-conformance-").tempfile_in(temporary)?;
    lock.as_file().lock()?;
    let folder = Builder::new().prefix(PREFIX).tempdir_in(temporary)?;
    lock.write_all(mark(&std::fs::symlink_metadata(folder.path())?).as_bytes())?;
    let lock = lock.persist(folder.path().join(LOCK)).map_err(|error| error.error)?;
    Ok((folder.keep(), lock))
}

/// What the locked file of a folder says. A folder is known by its place on the disk.
fn mark(folder: &Metadata) -> String {
    let (device, number) = (folder.dev(), folder.ino());
    format!("cells-conformance removes folder {device}:{number}, and ends what works in it\n")
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
    let removed = || remove_contents(folder).and_then(|()| std::fs::remove_dir_all(folder));
    while removed().is_err() && folder.exists() && Instant::now() < limit {
        std::thread::yield_now();
    }
}

/// Removes all but the lock: what cannot be removed, where no further file can be opened, still has
/// its mark.
fn remove_contents(folder: &Path) -> io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_name() == LOCK {
            continue;
        }
        match entry.file_type()?.is_dir() {
            true => std::fs::remove_dir_all(entry.path())?,
            false => std::fs::remove_file(entry.path())?,
        }
    }
    Ok(())
}

/// The lock of a dead run's folder.
fn lock_of_dead(folder: &Path) -> Option<File> {
    lock_of(folder).filter(|lock| lock.try_lock().is_ok())
}

/// The file that marks a folder as one that a suite of this user made.
pub(super) fn lock_of(folder: &Path) -> Option<File> {
    let user = rustix::process::getuid().as_raw();
    let found = std::fs::symlink_metadata(folder).ok()?;
    // Opening something else than a file could take forever.
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed();
    let lock = File::options().read(true).custom_flags(flags).open(folder.join(LOCK)).ok()?;
    let known = lock.metadata().ok()?;
    if !found.is_dir() || found.uid() != user || !known.is_file() || known.uid() != user {
        return None;
    }
    let (mark, mut text) = (mark(&found), String::new());
    (&lock).take(mark.len() as u64 + 1).read_to_string(&mut text).ok()?;
    (text == mark).then_some(lock)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lock_is_the_last_that_is_removed() {
        let temporary = tempfile::tempdir().unwrap();
        let (folder, _lock) = make(temporary.path()).unwrap();
        std::fs::create_dir_all(folder.join("eu/own")).unwrap();
        std::fs::write(folder.join("eu.json"), "{}").unwrap();
        remove_contents(&folder).unwrap();
        let left: Vec<_> = std::fs::read_dir(&folder).unwrap().flatten().collect();
        assert!(left.len() == 1 && left[0].file_name() == LOCK, "{left:?}");
        assert!(lock_of(&folder).is_some());
        remove_all(std::slice::from_ref(&folder));
        assert!(!folder.exists());
    }

    #[test]
    fn folders_of_dead_runs_alone_are_removed() {
        let temporary = tempfile::tempdir().unwrap();
        let folder = |name: &str| {
            let path = temporary.path().join(name);
            std::fs::create_dir(&path).unwrap();
            path
        };
        let (dead, _) = make(temporary.path()).unwrap();
        let (alive, _lock) = make(temporary.path()).unwrap();
        // Folders of the user, one of them a copy.
        let (own, copy, new) = (folder("cc-own"), folder("cc-copy"), folder("cc-new"));
        std::fs::write(own.join(LOCK), "").unwrap();
        std::fs::copy(dead.join(LOCK), copy.join(LOCK)).unwrap();
        clear_in(temporary.path());
        assert!(!dead.exists());
        assert!([alive, own, copy, new].iter().all(|folder| folder.exists()));
    }
}
