//! The programs of PostgreSQL on this machine.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use cell_fleet::StoreError;

/// The oldest version that serves.
const OLDEST: u32 = 15;
/// What a fleet runs.
const NEEDED: [&str; 3] = ["postgres", "initdb", "pg_basebackup"];
/// Where distributions install it: a folder for each version, with `bin` in it.
const INSTALLED: [&str; 2] = ["/usr/lib/postgresql", "/usr/local/pgsql"];

/// The folder of programs of one version.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Programs {
    folder: PathBuf,
    version: u32,
}

impl Programs {
    /// The first sufficient version on PATH or, after that, the newest one installed.
    ///
    /// # Errors
    /// Where there is none; the error says what there is instead.
    pub(crate) fn find() -> Result<Self, StoreError> {
        let path = env::var_os("PATH").unwrap_or_default();
        Self::find_in(&path, &INSTALLED.map(Path::new))
    }

    fn find_in(path: &OsStr, installed: &[&Path]) -> Result<Self, StoreError> {
        let mut folders: Vec<_> = env::split_paths(path).collect();
        let entries = installed.iter().flat_map(|place| std::fs::read_dir(place).ok());
        let mut versions: Vec<_> =
            entries.flatten().flatten().map(|entry| entry.path().join("bin")).collect();
        versions.sort_by_key(|folder| std::cmp::Reverse(version_in_path(folder)));
        folders.extend(versions);
        folders.extend(installed.iter().map(|place| place.join("bin")));
        let mut too_old = None;
        for folder in folders {
            if !NEEDED.iter().all(|program| folder.join(program).is_file()) {
                continue;
            }
            match version_of(&folder.join("postgres")) {
                Some(version) if version >= OLDEST => return Ok(Self { folder, version }),
                Some(version) => too_old = too_old.or(Some((folder, version))),
                None => {}
            }
        }
        let problem = match too_old {
            Some((folder, version)) => format!(
                "version {version} in {} is too old; {OLDEST} or later is needed",
                folder.display()
            ),
            None => format!(
                concat!(
                    "PostgreSQL {} or later is not installed: its programs ({}) are neither on \
                     PATH nor in {}/*/bin; on Debian: apt-get install postgresql"
                ),
                OLDEST,
                NEEDED.join(", "),
                INSTALLED[0]
            ),
        };
        Err(StoreError::new("PostgreSQL", problem))
    }

    pub(super) fn path(&self, program: &str) -> PathBuf {
        self.folder.join(program)
    }

    /// The major version.
    pub(super) fn version(&self) -> u32 {
        self.version
    }
}

/// The number in `…/15/bin`; 0 where there is none.
fn version_in_path(folder: &Path) -> u32 {
    let name = folder.parent().and_then(Path::file_name).and_then(OsStr::to_str);
    name.and_then(|name| name.parse().ok()).unwrap_or(0)
}

/// The major version that `postgres --version` prints.
fn version_of(postgres: &Path) -> Option<u32> {
    let output = Command::new(postgres).arg("--version").output().ok()?;
    major(&String::from_utf8_lossy(&output.stdout))
}

/// The major version in `postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)`, or in `17devel`.
fn major(line: &str) -> Option<u32> {
    let number = line.split_once("(PostgreSQL) ")?.1;
    let end = number.find(|char: char| !char.is_ascii_digit()).unwrap_or(number.len());
    number[..end].parse().ok()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    fn install(place: &Path, version: &str) -> PathBuf {
        let folder = place.join(version).join("bin");
        std::fs::create_dir_all(&folder).unwrap();
        for program in NEEDED {
            let file = folder.join(program);
            let script = format!("#!/bin/sh\necho 'postgres (PostgreSQL) {version}.1'\n");
            std::fs::write(&file, script).unwrap();
            std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).unwrap();
        }
        folder
    }

    #[test]
    fn versions_are_read() {
        for (line, version) in [
            ("postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)\n", Some(15)),
            ("postgres (PostgreSQL) 9.6.24", Some(9)),
            ("postgres (PostgreSQL) 19devel", Some(19)),
            ("postgres", None),
            ("", None),
        ] {
            assert_eq!(major(line), version, "{line}");
        }
    }

    #[test]
    fn the_newest_sufficient_version_is_found_and_what_is_missing_is_named() {
        let place = tempfile::tempdir().unwrap();
        let find = || Programs::find_in(OsStr::new(""), &[place.path()]);
        let missing = find().unwrap_err().to_string();
        assert!(missing.contains("PostgreSQL 15 or later is not installed"), "{missing}");
        assert!(missing.contains("apt-get install postgresql"), "{missing}");
        let old = install(place.path(), "14");
        let too_old = find().unwrap_err().to_string();
        assert!(too_old.contains("version 14 in") && too_old.contains("too old"), "{too_old}");
        install(place.path(), "15");
        let newest = install(place.path(), "17");
        assert_eq!(find(), Ok(Programs { folder: newest, version: 17 }));
        let on_path = install(place.path(), "16");
        let path = env::join_paths([old, on_path.clone()]).unwrap();
        let found = Programs::find_in(&path, &[place.path()]).unwrap();
        assert_eq!((found.path("initdb"), found.version()), (on_path.join("initdb"), 16));
    }
}
