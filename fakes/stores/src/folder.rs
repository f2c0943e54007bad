//! The folder in which the servers of one process lie. It is removed, and the servers end, when the
//! process ends, however it ends.
//!
//! A second process, a shell, reads from a pipe that ends with the process; then it ends the
//! servers and removes the folder. Should the shell have been killed too, the next process that
//! starts servers does it: a folder whose lock can be taken belongs to no process.

use std::fs::{self, File, Permissions};
use std::io::{self, Write as _};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;

use cell_fleet::{StoreError, Stored};

/// How the names of folders begin.
const PREFIX: &str = "cells-stores-";
/// The file that is locked as long as its process lives.
const LOCK: &str = "lock";

/// Ends the servers below the folder `$1` and removes it.
const CLEAR: &str = r#"
# Neither a process that got the number later nor one that is dead and not yet waited for is alive.
alive() {
    if [ -d /proc/self ]; then
        [ "$(readlink "/proc/$1/cwd" 2>/dev/null)" = "$2" ]
    else
        kill -0 "$1" 2>/dev/null
    fi
}
for signal in QUIT KILL; do
    for file in "$1"/*/data/postmaster.pid "$1"/*/data/redis.pid; do
        [ -f "$file" ] || continue
        data=${file%/*}
        read -r pid <"$file"
        tries=0
        while [ "$signal" = KILL ] && alive "$pid" "$data" && [ "$tries" -lt 40 ]; do
            sleep 0.05
            tries=$((tries + 1))
        done
        alive "$pid" "$data" && kill -"$signal" "$pid"
    done
done
rm -rf -- "$1"
"#;

#[derive(Debug)]
pub(super) struct Folder {
    path: PathBuf,
    /// Ends when its standard input does.
    guard: Mutex<Option<Child>>,
    user: Option<User>,
    _lock: File,
}

/// The user that servers run as, where this process is root's: PostgreSQL refuses root.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct User {
    uid: u32,
    gid: u32,
}

impl Folder {
    /// Makes a folder below the one for temporary files, and clears what dead processes left there.
    pub(super) fn new() -> Stored<Self> {
        let named = std::env::temp_dir();
        let failed = |error: io::Error| {
            let text = format!("no folder for them in {}: {error}", named.display());
            StoreError::new("real stores", text)
        };
        // The guard compares it with what the system calls a process's folder.
        let temporary = named.canonicalize().map_err(failed)?;
        clear_leftovers(&temporary);
        let user = if rustix::process::geteuid().is_root() {
            Some(unprivileged().map_err(|why| StoreError::new("PostgreSQL", why))?)
        } else {
            None
        };
        let made =
            tempfile::Builder::new().prefix(PREFIX).tempdir_in(&temporary).map_err(failed)?;
        // Others may pass through it, to their own folder only.
        fs::set_permissions(made.path(), Permissions::from_mode(0o711)).map_err(failed)?;
        // The file gets its name only once it is locked, so that nobody can find it unlocked.
        let unnamed = made.path().join("lock.new");
        let lock = File::create(&unnamed).map_err(failed)?;
        lock.lock().map_err(failed)?;
        fs::rename(unnamed, made.path().join(LOCK)).map_err(failed)?;
        let guard = start_guard(made.path()).map_err(failed)?;
        Ok(Self { path: made.keep(), guard: Mutex::new(Some(guard)), user, _lock: lock })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The new folder of a server, with these folders in it.
    pub(super) fn server_file(&self, server: &str, parts: &[&str]) -> Stored<PathBuf> {
        let short = server.replace(' ', "-");
        let made = self.private(&short).and_then(|folder| {
            for part in parts {
                self.private(&format!("{short}/{part}"))?;
            }
            Ok(folder)
        });
        made.map_err(|error| {
            let place = self.path.display();
            StoreError::new(server, format!("no folder {short} in {place}: {error}"))
        })
    }

    /// A new folder in it that belongs to the user of the servers alone.
    fn private(&self, name: &str) -> io::Result<PathBuf> {
        let path = self.path.join(name);
        fs::create_dir(&path)?;
        fs::set_permissions(&path, Permissions::from_mode(0o700))?;
        if let Some(user) = self.user {
            std::os::unix::fs::chown(&path, Some(user.uid), Some(user.gid))?;
        }
        Ok(path)
    }

    /// A command that runs as the user of the servers, in its own process group: what is
    /// meant for this process, like Ctrl-C, does not end the servers before it.
    pub(super) fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.path).stdin(Stdio::null()).process_group(0);
        // Neither a setting nor a language of somebody's own reaches the servers.
        for (name, _) in std::env::vars_os() {
            let text = name.to_string_lossy();
            if text.starts_with("PG") || text.starts_with("LC_") || text == "LANG" {
                command.env_remove(&name);
            }
        }
        command.env("LC_ALL", "C");
        if let Some(user) = self.user {
            command.uid(user.uid).gid(user.gid);
        }
        command
    }

    /// Ends what still runs in the folder, and removes it. Returns when that is done.
    pub(super) fn remove(&self) {
        let guard = self.guard.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).take();
        let Some(mut guard) = guard else { return };
        drop(guard.stdin.take());
        let _ = guard.wait();
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        self.remove();
    }
}

fn start_guard(folder: &Path) -> io::Result<Child> {
    // Signals that are meant for this process reach the guard too, and must not end it.
    let script = format!("trap '' INT TERM HUP QUIT\ncat >/dev/null\n{CLEAR}");
    Command::new("/bin/sh")
        .args(["-c", &script, "stores"])
        .arg(folder)
        .current_dir("/")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()
}

/// Clears the folders of dead processes of this user.
fn clear_leftovers(temporary: &Path) {
    let own = rustix::process::getuid().as_raw();
    for entry in fs::read_dir(temporary).into_iter().flatten().flatten() {
        let path = entry.path();
        if !entry.file_name().to_string_lossy().starts_with(PREFIX) {
            continue;
        }
        let lock = path.join(LOCK);
        let is_own = |path: &Path, is: fn(&fs::Metadata) -> bool| {
            fs::symlink_metadata(path).is_ok_and(|found| is(&found) && found.uid() == own)
        };
        if !is_own(&path, fs::Metadata::is_dir) || !is_own(&lock, fs::Metadata::is_file) {
            continue;
        }
        let Ok(lock) = File::open(lock) else { continue };
        if lock.try_lock().is_ok() {
            let mut clear = Command::new("/bin/sh");
            clear.args(["-c", CLEAR, "stores"]).arg(&path).stdin(Stdio::null());
            // What cannot be removed now is tried again by the next process.
            let _ = clear.status();
        }
    }
}

/// The user `postgres`, or `nobody`.
fn unprivileged() -> Result<User, String> {
    let users = fs::read_to_string("/etc/passwd").unwrap_or_default();
    ["postgres", "nobody"].iter().find_map(|name| user_in(&users, name)).ok_or_else(|| {
        "it does not run as root, and there is neither a user `postgres` nor `nobody`; run this as \
         another user"
            .to_owned()
    })
}

fn user_in(users: &str, name: &str) -> Option<User> {
    users.lines().find_map(|line| {
        let mut fields = line.split(':');
        if fields.next() != Some(name) {
            return None;
        }
        let (uid, gid) = (fields.nth(1)?.parse().ok()?, fields.next()?.parse().ok()?);
        Some(User { uid, gid })
    })
}

/// Writes a file for people, such as a configuration.
pub(super) fn write(path: &Path, text: &str) -> io::Result<()> {
    File::create(path)?.write_all(text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn users_are_found_by_their_names() {
        let users = "root:x:0:0:root:/root:/bin/sh\npostgres:x:101:104::/:/bin/sh\nbad:x\n";
        assert_eq!(user_in(users, "postgres"), Some(User { uid: 101, gid: 104 }));
        assert_eq!((user_in(users, "nobody"), user_in(users, "bad")), (None, None));
    }

    #[test]
    fn a_folder_is_gone_once_it_is_removed_and_a_dead_process_s_is_cleared() {
        let folder = Folder::new().unwrap();
        let path = folder.path().to_owned();
        folder.private("us").unwrap();
        assert!(path.join("us").is_dir());
        drop(folder);
        assert!(!path.exists());

        let temporary = tempfile::tempdir().unwrap();
        let dead = temporary.path().join(format!("{PREFIX}dead"));
        let alive = temporary.path().join(format!("{PREFIX}alive"));
        for folder in [&dead, &alive] {
            fs::create_dir(folder).unwrap();
            File::create(folder.join(LOCK)).unwrap();
        }
        let lock = File::open(alive.join(LOCK)).unwrap();
        lock.lock().unwrap();
        clear_leftovers(temporary.path());
        assert!(!dead.exists() && alive.exists());
    }
}
