//! Files that are written whole, or not at all.

use std::fs::{self, Permissions};
use std::io::{self, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

/// What a new file allows, less what the process forbids.
const MODE: u32 = 0o666;

/// Writes a file in place of the one that is there, which stays as it is if the new one does not
/// fit the disk.
pub fn write_file(path: &Path, content: &[u8]) -> io::Result<()> {
    let (place, permissions) = match fs::metadata(path) {
        Ok(known) if known.is_file() => (path.canonicalize()?, Some(known.permissions())),
        Err(_) if !path.is_symlink() => (path.to_owned(), None),
        // A pipe, a device, or a link to a file that is not there.
        _ => return fs::write(path, content),
    };
    let folder = place.parent().filter(|folder| !folder.as_os_str().is_empty());
    let beside = tempfile::Builder::new()
        .prefix(".part-")
        .permissions(Permissions::from_mode(MODE))
        .tempfile_in(folder.unwrap_or(Path::new(".")));
    // A folder may take no new file although the old one can be written.
    let Ok(mut beside) = beside else { return fs::write(path, content) };
    beside.write_all(content)?;
    permissions.map_or(Ok(()), |same| beside.as_file().set_permissions(same))?;
    // A file that is mounted by itself cannot be replaced.
    beside.persist(&place).map(drop).or_else(|_| fs::write(path, content))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_stays_a_link_and_the_permissions_stay() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("a"), folder.path().join("link"));
        std::os::unix::fs::symlink("a", &link).unwrap();
        write_file(&link, b"1").unwrap();
        fs::set_permissions(&file, Permissions::from_mode(0o640)).unwrap();
        write_file(&link, b"2").unwrap();
        assert!(link.is_symlink());
        assert_eq!(fs::read(&file).unwrap(), b"2");
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
        write_file(Path::new("/dev/null"), b"3").unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }
}
