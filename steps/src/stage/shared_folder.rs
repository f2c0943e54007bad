//! The folder for files that all processes of a user share.
//!
//! It lies in the folder for temporary files, which belongs to everybody. So it has the user's
//! number in its name, belongs to the user, and nobody else can write to it; otherwise it is
//! refused.

use std::fs::{DirBuilder, File};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;

/// Permission to write for others than the owner.
const WRITABLE_BY_OTHERS: u32 = 0o022;

/// The path of a file that all processes of a user share. Its folder is made where it is missing.
/// It is an error if somebody else could change what is in it.
pub(super) fn shared_path(name: &str) -> io::Result<PathBuf> {
    let temporary = std::env::temp_dir();
    check_temporary(&temporary)?;
    let user = rustix::process::getuid().as_raw();
    let folder = temporary.join(format!("cells-conformance-{user}"));
    let made = match DirBuilder::new().mode(0o700).create(&folder) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        Ok(()) | Err(_) => check(&folder, user),
    };
    made.map_err(|error| {
        io::Error::new(error.kind(), format!("{}: {error}; {HINT}", folder.display()))
    })?;
    Ok(folder.join(name))
}

/// The most bytes that a shared file has: a number.
const MOST_BYTES: u64 = 64;

/// Opens a file that all processes of a user share, for reading and writing. It is made where it is
/// missing. It is an error if it is anything but a short regular file of this user, with this name
/// alone: opening a pipe or reading a device could take forever, and what a link leads to is not
/// the suite's to change.
pub(super) fn open_shared(path: &Path) -> io::Result<File> {
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY;
    let mut options = File::options();
    options.read(true).write(true).create(true).truncate(false).mode(0o600);
    let opened = options.custom_flags(flags.bits().cast_signed()).open(path);
    let is_link = std::fs::symlink_metadata(path).is_ok_and(|found| found.is_symlink());
    let fault = match opened {
        Err(_) if is_link => "is a link".to_owned(),
        Err(error) => return Err(error),
        Ok(file) => {
            let (found, user) = (file.metadata()?, rustix::process::getuid().as_raw());
            if !found.is_file() {
                "is not a regular file".to_owned()
            } else if found.nlink() > 1 {
                "has a second name elsewhere".to_owned()
            } else if found.uid() != user {
                format!("belongs to user {}, not to user {user}", found.uid())
            } else if found.len() > MOST_BYTES {
                format!("has {} bytes, more than {MOST_BYTES}", found.len())
            } else {
                return Ok(file);
            }
        }
    };
    Err(io::Error::other(format!("it {fault}: remove it")))
}

/// What a person can do about a folder that cannot be used.
const HINT: &str = "TMPDIR names the folder for temporary files";

/// A folder for temporary files that does not exist is named as that.
pub(super) fn check_temporary(folder: &Path) -> io::Result<()> {
    let fault = |why: &str| {
        let text = format!("the folder for temporary files, {}, {why}; {HINT}", folder.display());
        io::Error::other(text)
    };
    match std::fs::metadata(folder) {
        Ok(found) if found.is_dir() => Ok(()),
        Ok(_) => Err(fault("is not a folder")),
        Err(error) => Err(fault(&format!("cannot be used: {error}"))),
    }
}

/// Whether the folder belongs to the user alone. A link is not followed.
fn check(folder: &Path, user: u32) -> io::Result<()> {
    let found = std::fs::symlink_metadata(folder)?;
    let fault = if !found.is_dir() {
        "is not a folder".to_owned()
    } else if found.uid() != user {
        format!("belongs to user {}, not to user {user}", found.uid())
    } else if found.mode() & WRITABLE_BY_OTHERS != 0 {
        "can be written to by other users".to_owned()
    } else {
        return Ok(());
    };
    Err(io::Error::other(format!("it {fault}: remove it")))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    #[test]
    fn a_shared_file_is_a_short_regular_file_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        open_shared(&at("new")).unwrap();
        open_shared(&at("new")).unwrap();
        let foreign = at("foreign");
        std::fs::write(&foreign, "of the user").unwrap();
        symlink(&foreign, at("link")).unwrap();
        symlink("/dev/zero", at("device")).unwrap();
        symlink(at("nowhere"), at("dangling")).unwrap();
        std::fs::hard_link(&foreign, at("name")).unwrap();
        std::fs::write(at("long"), [b'1'; 65]).unwrap();
        let made = std::process::Command::new("mkfifo").arg(at("pipe")).status().unwrap();
        assert!(made.success());
        for (name, word) in [
            ("link", "is a link"),
            ("device", "is a link"),
            ("dangling", "is a link"),
            ("name", "second name"),
            ("long", "has 65 bytes"),
            ("pipe", "not a regular file"),
        ] {
            let why = open_shared(&at(name)).unwrap_err().to_string();
            assert!(why.contains(word) && why.contains("remove it"), "{name}: {why}");
        }
        assert!(!at("nowhere").exists());
    }

    #[test]
    fn links_files_and_folders_of_others_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let user = rustix::process::getuid().as_raw();
        let refused = |path: &Path, user: u32, word: &str| {
            let why = check(path, user).unwrap_err().to_string();
            assert!(why.contains(word), "{why}");
        };
        let (own, link, file) =
            (folder.path().join("own"), folder.path().join("link"), folder.path().join("file"));
        std::fs::create_dir(&own).unwrap();
        symlink(&own, &link).unwrap();
        std::fs::write(&file, "").unwrap();
        refused(&link, user, "is not a folder");
        refused(&file, user, "is not a folder");
        refused(&own, user.wrapping_add(1), "belongs to user");
        std::fs::set_permissions(&own, std::fs::Permissions::from_mode(0o777)).unwrap();
        refused(&own, user, "written to by other users");
    }
}
