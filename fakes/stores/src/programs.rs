//! The programs of servers on this machine.

use std::env;
use std::ffi::OsStr;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use cell_fleet::{StoreError, Stored};

use crate::folder::Folder;

/// Where distributions install PostgreSQL: a folder for each version, with `bin` in it.
const INSTALLED: [&str; 2] = ["/usr/lib/postgresql", "/usr/local/pgsql"];
/// What a fleet runs of PostgreSQL.
const POSTGRESQL: [&str; 3] = ["postgres", "initdb", "pg_basebackup"];
/// What Redis is called, the first before the second.
const REDIS: [&str; 2] = ["redis-server", "valkey-server"];

/// A server's program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Program {
    path: PathBuf,
    version: String,
}

/// Where the servers of a program lie.
#[derive(Debug)]
pub(crate) struct Place {
    pub(crate) folder: Arc<Folder>,
    pub(crate) program: Program,
}

impl Program {
    /// The first PostgreSQL of a sufficient version on PATH or, after that, the newest one
    /// installed. The other programs lie beside it.
    ///
    /// # Errors
    /// Where there is none; the error says what there is instead.
    pub(crate) fn postgresql() -> Stored<Self> {
        Self::postgresql_in(&path_variable(), &INSTALLED.map(Path::new))
    }

    fn postgresql_in(path: &OsStr, installed: &[&Path]) -> Stored<Self> {
        let mut folders: Vec<_> = env::split_paths(path).collect();
        let entries = installed.iter().flat_map(|place| std::fs::read_dir(place).ok());
        let mut versions: Vec<_> =
            entries.flatten().flatten().map(|entry| entry.path().join("bin")).collect();
        versions.sort_by_key(|folder| std::cmp::Reverse(version_in_path(folder)));
        folders.extend(versions);
        folders.extend(installed.iter().map(|place| place.join("bin")));
        let is_whole =
            |folder: &PathBuf| POSTGRESQL.iter().all(|program| folder.join(program).is_file());
        let found = folders.into_iter().filter(is_whole).map(|folder| folder.join("postgres"));
        Self::first(found, 15, "(PostgreSQL) ").map_err(|too_old| {
            let problem = too_old.unwrap_or_else(|| {
                format!(
                    "PostgreSQL 15 or later is not installed: its programs ({}) are neither on \
                     PATH nor in {}/*/bin; on Debian: apt-get install postgresql",
                    POSTGRESQL.join(", "),
                    INSTALLED[0]
                )
            });
            StoreError::new("PostgreSQL", problem)
        })
    }

    /// The first Redis, or Valkey, of a sufficient version on PATH.
    ///
    /// # Errors
    /// Where there is none; the error says what there is instead.
    pub(crate) fn redis() -> Stored<Self> {
        Self::redis_in(&path_variable())
    }

    fn redis_in(path: &OsStr) -> Stored<Self> {
        let all = REDIS.iter().flat_map(|name| {
            env::split_paths(path).map(move |folder| folder.join(name)).filter(|it| it.is_file())
        });
        Self::first(all, 7, "v=").map_err(|too_old| {
            let problem = too_old.unwrap_or_else(|| {
                format!(
                    "Redis 7 or later, or Valkey, is not installed: neither {} is on PATH; on \
                     Debian: apt-get install redis-server",
                    REDIS.join(" nor ")
                )
            });
            StoreError::new("Redis", problem)
        })
    }

    /// The first of these programs that is not older than this version, which it prints behind
    /// these words; otherwise, what is wrong with one that is.
    fn first(
        all: impl Iterator<Item = PathBuf>,
        oldest: u32,
        behind: &str,
    ) -> Result<Self, Option<String>> {
        let mut too_old = None;
        for path in all {
            let Some(version) = version_of(&path, behind) else { continue };
            if major(&version) >= Some(oldest) {
                return Ok(Self { path, version });
            }
            too_old.get_or_insert_with(|| {
                let path = path.display();
                format!(
                    "{path} is of version {version}, which is too old; {oldest} or later is needed"
                )
            });
        }
        Err(too_old)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Another program of the same version.
    pub(crate) fn beside(&self, name: &str) -> PathBuf {
        self.path.with_file_name(name)
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        write!(f, "{name} {}", self.version)
    }
}

fn path_variable() -> std::ffi::OsString {
    env::var_os("PATH").unwrap_or_default()
}

/// The number in `…/15/bin`; 0 where there is none.
fn version_in_path(folder: &Path) -> u32 {
    let name = folder.parent().and_then(Path::file_name).and_then(OsStr::to_str);
    name.and_then(|name| name.parse().ok()).unwrap_or(0)
}

/// The version that a program prints.
fn version_of(program: &Path, behind: &str) -> Option<String> {
    let output = Command::new(program).arg("--version").output().ok()?;
    version_in(&String::from_utf8_lossy(&output.stdout), behind)
}

/// The version in `postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)`, or in `Redis server
/// v=7.0.15 sha=…`.
fn version_in(line: &str, behind: &str) -> Option<String> {
    let version = line.split_once(behind)?.1.split_whitespace().next()?;
    major(version).map(|_| version.to_owned())
}

/// The number that a version begins with, as in `15.18` and `17devel`.
fn major(version: &str) -> Option<u32> {
    let end = version.find(|char: char| !char.is_ascii_digit()).unwrap_or(version.len());
    version[..end].parse().ok()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    fn install(folder: &Path, name: &str, says: &str) {
        fs::create_dir_all(folder).unwrap();
        let file = folder.join(name);
        fs::write(&file, format!("#!/bin/sh\necho '{says}'\n")).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn install_postgresql(place: &Path, version: &str) -> PathBuf {
        let folder = place.join(version).join("bin");
        for program in POSTGRESQL {
            install(&folder, program, &format!("postgres (PostgreSQL) {version}.1"));
        }
        folder
    }

    #[test]
    fn versions_are_read() {
        for (line, behind, version) in [
            ("postgres (PostgreSQL) 15.18 (Debian 15.18-0)\n", "(PostgreSQL) ", Some("15.18")),
            ("postgres (PostgreSQL) 19devel", "(PostgreSQL) ", Some("19devel")),
            ("postgres", "(PostgreSQL) ", None),
            ("Redis server v=7.0.15 sha=00000000:0 bits=64\n", "v=", Some("7.0.15")),
            ("Valkey server v=8.1.1 sha=0\n", "v=", Some("8.1.1")),
            ("v=", "v=", None),
        ] {
            assert_eq!(version_in(line, behind).as_deref(), version, "{line}");
        }
        assert_eq!((major("9.6.24"), major("17devel"), major("")), (Some(9), Some(17), None));
    }

    #[test]
    fn the_newest_sufficient_postgresql_is_found_and_what_is_missing_is_named() {
        let place = tempfile::tempdir().unwrap();
        let find = || Program::postgresql_in(OsStr::new(""), &[place.path()]);
        let missing = find().unwrap_err().to_string();
        assert!(missing.contains("PostgreSQL 15 or later is not installed"), "{missing}");
        assert!(missing.contains("apt-get install postgresql"), "{missing}");
        let old = install_postgresql(place.path(), "14");
        let too_old = find().unwrap_err().to_string();
        assert!(too_old.contains("14/bin/postgres is of version 14.1"), "{too_old}");
        install_postgresql(place.path(), "15");
        let newest = install_postgresql(place.path(), "17");
        assert_eq!(find().unwrap().path(), newest.join("postgres"));
        let on_path = install_postgresql(place.path(), "16");
        let path = env::join_paths([old, on_path.clone()]).unwrap();
        let found = Program::postgresql_in(&path, &[place.path()]).unwrap();
        assert_eq!(found.to_string(), "postgres 16.1");
        assert_eq!(found.beside("initdb"), on_path.join("initdb"));
    }

    #[test]
    fn the_first_sufficient_redis_is_found_and_what_is_missing_is_named() {
        let place = tempfile::tempdir().unwrap();
        let (old, new) = (place.path().join("old"), place.path().join("new"));
        let path = env::join_paths([&old, &new]).unwrap();
        let find = || Program::redis_in(&path);
        let missing = find().unwrap_err().to_string();
        assert!(missing.contains("Redis 7 or later, or Valkey, is not installed"), "{missing}");
        assert!(missing.contains("apt-get install redis-server"), "{missing}");
        install(&old, "redis-server", "Redis server v=6.2.1 sha=0");
        let too_old = find().unwrap_err().to_string();
        assert!(too_old.contains("old/redis-server is of version 6.2.1"), "{too_old}");
        install(&new, "valkey-server", "Valkey server v=8.1.1 sha=0");
        assert_eq!(find().unwrap().to_string(), "valkey-server 8.1.1");
        install(&new, "redis-server", "Redis server v=7.0.15 sha=0");
        assert_eq!(find().unwrap().path(), new.join("redis-server"));
    }
}
