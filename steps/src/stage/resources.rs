//! Whether the machine has room for what a scenario needs: a full disk is no fault of a router.

use std::io::{self, ErrorKind, Write as _};
use std::path::Path;

/// How many bytes a trial writes: more than file systems keep with the name of a file.
const TRIAL: usize = 16 << 10;

/// Whether an error is the machine's, which has no room or no resources left, and not of what was to
/// be started.
pub(super) fn is_of_machine(error: &io::Error) -> bool {
    use rustix::io::Errno;

    let of_system = error.raw_os_error().map(Errno::from_raw_os_error);
    let short = [Errno::MFILE, Errno::NFILE, Errno::AGAIN, Errno::NOMEM];
    has_no_room(error) || of_system.is_some_and(|errno| short.contains(&errno))
}

/// Whether an error says that a disk is full, or what a user may keep on it.
pub(super) fn has_no_room(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge
    )
}

/// An error in the folder of a scenario, in words that say what to do.
pub(super) fn explain(folder: &Path, error: &io::Error) -> String {
    let shown = folder.display();
    if error.kind() == ErrorKind::FileTooLarge {
        format!("a file in {shown} may not grow as it has to ({error}): raise `ulimit -f`")
    } else if has_no_room(error) {
        format!(
            "the disk of {shown} is full ({error}): make room there, or let TMPDIR name another \
             folder"
        )
    } else if is_of_machine(error) {
        format!(
            "the suite may open no further file, or start no further process ({error}): raise \
             `ulimit -Hn` or `ulimit -u`, or let fewer scenarios run at once (`--jobs`)"
        )
    } else {
        format!("the suite cannot prepare a router in {shown} (TMPDIR names the folder): {error}")
    }
}

/// Why nothing can be written to the folder of a scenario; `None` if something can. A router may
/// have failed for the same reason.
pub(super) fn trouble(folder: &Path) -> Option<String> {
    let path = folder.join("trial");
    let attempt = std::fs::File::create(&path).and_then(|mut file| file.write_all(&[1; TRIAL]));
    let _ = std::fs::remove_file(&path);
    attempt.err().map(|error| explain(folder, &error))
}

#[cfg(test)]
mod tests {
    use rustix::io::Errno;

    use super::*;

    #[test]
    fn a_full_disk_is_the_machine_s_fault_and_a_missing_program_is_not() {
        let is_of_machine = |errno: Errno| is_of_machine(&errno.into());
        for errno in [Errno::NOSPC, Errno::DQUOT, Errno::MFILE, Errno::AGAIN, Errno::NOMEM] {
            assert!(is_of_machine(errno), "{errno:?}");
        }
        for errno in [Errno::NOENT, Errno::ACCESS, Errno::NOEXEC, Errno::TOOBIG] {
            assert!(!is_of_machine(errno), "{errno:?}");
        }
        let text = explain(Path::new("/t"), &Errno::NOSPC.into());
        assert!(text.contains("the disk of /t is full") && text.contains("TMPDIR"), "{text}");
    }

    #[test]
    fn there_is_room_in_a_folder_and_none_in_a_missing_one() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(trouble(folder.path()), None);
        assert!(std::fs::read_dir(folder.path()).unwrap().next().is_none());
        assert!(trouble(&folder.path().join("missing")).is_some());
    }
}
