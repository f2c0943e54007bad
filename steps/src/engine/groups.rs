//! The groups of tasks that need a part of the machine for themselves.

use std::fs::{File, TryLockError};
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use super::pool::Group;
use crate::catalog::Case;
use crate::stage::{Stop, shared_path};

/// Cases that judge an upper bound of a time: one of them runs at a time. Two of them would make
/// each other's times longer. It takes one job: with more, it waits for them, and the suite takes a
/// fifth longer.
pub(crate) const QUIET: Group = Group { name: "quiet", limit: 1, slots: 1 };

/// Measurements of time or memory, which need the whole machine.
pub const MEASUREMENT: Group = Group { name: "measurement", limit: 1, slots: usize::MAX };

/// The group that a case belongs to; `None` for the many that run beside anything.
pub fn group_of(case: &Case) -> Option<&'static Group> {
    case.needs().quiet.then_some(&QUIET)
}

/// Between two looks at a turn that another process has.
const PAUSE: Duration = Duration::from_millis(20);

/// Waits for the turn of a case of a group among all processes of this machine: the tests of a test
/// program, for which libtest and nextest choose the jobs, and runs beside each other. The turn
/// lasts as long as the file. No file is touched for a case without a group.
///
/// # Errors
///
/// If the file that all processes share cannot be used.
pub(crate) fn turn(case: &Case, stop: &Stop) -> Result<Option<File>, String> {
    turn_by(case, || shared_path("quiet").map_err(|error| error.to_string()), stop)
}

/// All processes that name the same file take turns. Once the run is stopped, the turn is not
/// waited for: the case sees the stop itself, and is not run.
fn turn_by(
    case: &Case,
    file: impl FnOnce() -> Result<PathBuf, String>,
    stop: &Stop,
) -> Result<Option<File>, String> {
    if group_of(case).is_none() {
        return Ok(None);
    }
    let file = file()?;
    let wait = || {
        let turn = File::options().create(true).truncate(false).write(true).open(&file)?;
        loop {
            match turn.try_lock() {
                Ok(()) => return Ok(turn),
                Err(TryLockError::Error(error)) => return Err(error),
                Err(TryLockError::WouldBlock) if stop.reason().is_some() => return Ok(turn),
                Err(TryLockError::WouldBlock) => thread::sleep(PAUSE),
            }
        }
    };
    wait().map(Some).map_err(|error| format!("{}: {error}", file.display()))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::catalog::Catalog;
    use crate::stage::StopReason;

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
        let stop = Stop::default();
        let turn = |case, file: &Path| turn_by(case, || Ok(file.to_owned()), &stop);
        let first = turn(quiet, &file).unwrap().unwrap();
        assert!(turn(other, &file).unwrap().is_none());
        assert!(File::options().write(true).open(&file).unwrap().try_lock().is_err());
        assert!(stop.request(StopReason::Interrupted));
        assert!(turn(quiet, &file).unwrap().is_some(), "a stopped run waits for nothing");
        drop(first);
        assert!(turn(quiet, &file).unwrap().is_some());
        assert!(
            turn(quiet, folder.path()).unwrap_err().contains(&*folder.path().to_string_lossy())
        );
    }
}
