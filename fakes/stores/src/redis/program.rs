//! The program of Redis, or of Valkey, on this machine.

use std::env;
use std::ffi::OsStr;
use std::fmt;
use std::path::PathBuf;
use std::process::Command;

use cell_fleet::StoreError;

/// The oldest version that serves.
const OLDEST: u32 = 7;
/// What it is called, the first before the second.
const NAMES: [&str; 2] = ["redis-server", "valkey-server"];

/// A server's program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Program {
    path: PathBuf,
    version: String,
}

impl Program {
    /// The first sufficient version on PATH.
    ///
    /// # Errors
    /// Where there is none; the error says what there is instead.
    pub(crate) fn find() -> Result<Self, StoreError> {
        Self::find_in(&env::var_os("PATH").unwrap_or_default())
    }

    fn find_in(path: &OsStr) -> Result<Self, StoreError> {
        let mut too_old = None;
        for name in NAMES {
            for path in env::split_paths(path).map(|folder| folder.join(name)) {
                let version = if path.is_file() { version_of(&path) } else { None };
                let Some(version) = version else { continue };
                if major(&version) >= Some(OLDEST) {
                    return Ok(Self { path, version });
                }
                too_old = too_old.or(Some((path, version)));
            }
        }
        let problem = match too_old {
            Some((path, version)) => format!(
                "{} is of version {version}, which is too old; {OLDEST} or later is needed",
                path.display()
            ),
            None => format!(
                "Redis {OLDEST} or later, or Valkey, is not installed: neither {} is on PATH; on \
                 Debian: apt-get install redis-server",
                NAMES.join(" nor ")
            ),
        };
        Err(StoreError::new("Redis", problem))
    }

    pub(super) fn path(&self) -> &std::path::Path {
        &self.path
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        write!(f, "{name} {}", self.version)
    }
}

/// The version that a program prints: `Redis server v=7.0.15 sha=…`, `Valkey server v=8.1.1 …`.
fn version_of(program: &std::path::Path) -> Option<String> {
    let output = Command::new(program).arg("--version").output().ok()?;
    version_in(&String::from_utf8_lossy(&output.stdout))
}

fn version_in(line: &str) -> Option<String> {
    let version = line.split_once("v=")?.1.split_whitespace().next()?;
    major(version).map(|_| version.to_owned())
}

fn major(version: &str) -> Option<u32> {
    version.split('.').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;
    use std::path::Path;

    use super::*;

    fn install(folder: &Path, name: &str, says: &str) {
        fs::create_dir_all(folder).unwrap();
        let file = folder.join(name);
        fs::write(&file, format!("#!/bin/sh\necho '{says}'\n")).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
    }

    #[test]
    fn versions_are_read() {
        let redis = "Redis server v=7.0.15 sha=00000000:0 malloc=jemalloc-5.3.0 bits=64\n";
        assert_eq!(version_in(redis).as_deref(), Some("7.0.15"));
        assert_eq!(version_in("Valkey server v=8.1.1 sha=0\n").as_deref(), Some("8.1.1"));
        assert_eq!((version_in("redis"), version_in("v="), version_in("")), (None, None, None));
    }

    #[test]
    fn the_first_sufficient_program_is_found_and_what_is_missing_is_named() {
        let place = tempfile::tempdir().unwrap();
        let (old, new) = (place.path().join("old"), place.path().join("new"));
        let path = env::join_paths([&old, &new]).unwrap();
        let missing = Program::find_in(&path).unwrap_err().to_string();
        assert!(missing.contains("Redis 7 or later, or Valkey, is not installed"), "{missing}");
        assert!(missing.contains("apt-get install redis-server"), "{missing}");
        install(&old, "redis-server", "Redis server v=6.2.1 sha=0");
        let too_old = Program::find_in(&path).unwrap_err().to_string();
        assert!(too_old.contains("old/redis-server is of version 6.2.1"), "{too_old}");
        install(&new, "valkey-server", "Valkey server v=8.1.1 sha=0");
        assert_eq!(Program::find_in(&path).unwrap().to_string(), "valkey-server 8.1.1");
        install(&new, "redis-server", "Redis server v=7.0.15 sha=0");
        assert_eq!(Program::find_in(&path).unwrap().path(), new.join("redis-server"));
    }
}
