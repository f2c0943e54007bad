//! The groups of tasks that need a part of the machine for themselves.

use std::fs::File;
use std::path::Path;

use super::pool::Group;
use crate::catalog::Case;

/// Cases that judge an upper bound of a time: one of them runs at a time. Two of them would make
/// each other's times longer. It takes one job: with more, it waits for them, and the suite takes a
/// fifth longer.
pub(crate) const QUIET: Group = Group { name: "quiet", limit: 1, slots: 1 };

/// Measurements of time or memory, which need the whole machine.
pub(crate) const MEASUREMENT: Group = Group { name: "measurement", limit: 1, slots: usize::MAX };

/// The group that a case belongs to; `None` for the many that run beside anything.
pub(crate) fn group_of(case: &Case) -> Option<&'static Group> {
    case.needs().quiet.then_some(&QUIET)
}

/// Waits for the turn of a case of a group among all processes of this machine: the tests of a test
/// program, for which libtest and nextest choose the jobs, and runs beside each other. The turn
/// lasts as long as the file; it is one for all processes that name the same file.
///
/// # Errors
///
/// If the file cannot be opened or locked.
pub(crate) fn turn(case: &Case, file: &Path) -> Result<Option<File>, String> {
    if group_of(case).is_none() {
        return Ok(None);
    }
    let open = || {
        let lock = File::options().create(true).truncate(false).write(true).open(file)?;
        lock.lock()?;
        Ok::<_, std::io::Error>(lock)
    };
    open().map(Some).map_err(|error| format!("{}: {error}", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Catalog;

    #[test]
    fn cases_that_judge_a_time_are_quiet_and_others_are_not() {
        let catalog = Catalog::embedded();
        let quiet = catalog.cases.iter().filter(|case| group_of(case) == Some(&QUIET)).count();
        assert!((1..catalog.cases.len() / 10).contains(&quiet), "{quiet} of all");
    }

    #[test]
    fn a_quiet_case_waits_for_its_turn() {
        let catalog = Catalog::embedded();
        let quiet = catalog.cases.iter().find(|case| case.needs().quiet).unwrap();
        let other = catalog.cases.iter().find(|case| !case.needs().quiet).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("quiet");
        let first = turn(quiet, &file).unwrap().unwrap();
        assert!(turn(other, &file).unwrap().is_none());
        assert!(File::options().write(true).open(&file).unwrap().try_lock().is_err());
        drop(first);
        assert!(turn(quiet, &file).unwrap().is_some());
        assert!(
            turn(quiet, folder.path()).unwrap_err().contains(&*folder.path().to_string_lossy())
        );
    }
}
