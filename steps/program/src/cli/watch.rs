//! `run --watch`: waits until a file of the router changes.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use conformance_suite::catalog::feature_files;
use conformance_suite::stage::{RouterCommand, Routers, Stop};

/// Files that are named; the rest is counted.
const NAMED: usize = 8;
/// Pause between two looks at the files. Looking works on every file system, also on one that tells
/// of no changes.
const LOOK_EVERY: Duration = Duration::from_millis(200);

/// Time and length of each file; `None` for a file that is not there.
type State = BTreeMap<PathBuf, Option<(SystemTime, u64)>>;

/// The files that a run depends on, and the state in which it met them.
#[derive(Debug)]
pub(super) struct WatchedFiles {
    /// Files, and folders with all that is in them.
    paths: Vec<PathBuf>,
    state: State,
}

impl WatchedFiles {
    pub(super) fn new(paths: Vec<PathBuf>) -> Self {
        let state = state_of(&paths);
        Self { paths, state }
    }

    /// The files by name, as many as a line has room for.
    pub(super) fn names(&self) -> String {
        let name = |(path, state): (&PathBuf, &Option<_>)| {
            format!("{}{}", path.display(), if state.is_some() { "" } else { " (missing)" })
        };
        let named = self.state.iter().take(NAMED).map(name);
        let mut names = named.collect::<Vec<_>>().join(", ");
        if self.state.len() > NAMED {
            names.push_str(&format!(" and {} more", self.state.len() - NAMED));
        }
        names
    }

    /// The files that are not as the run met them.
    pub(super) fn changed(&self) -> Vec<PathBuf> {
        changed(&self.state, &state_of(&self.paths))
    }

    /// Takes the present state for the one that is known.
    pub(super) fn look_again(&mut self) {
        self.state = state_of(&self.paths);
    }

    /// Waits until files have changed, have come to rest, and are all there. Returns those that
    /// changed; `None` if the wait is stopped.
    pub(super) fn wait(&self, stop: &Stop) -> Option<Vec<PathBuf>> {
        let mut last = state_of(&self.paths);
        while stop.reason().is_none() {
            std::thread::sleep(LOOK_EVERY);
            let now = state_of(&self.paths);
            let is_at_rest = now == last;
            // A compiler may remove a program long before it writes the new one. What was not there
            // when the run began may stay away.
            let is_back =
                |path: &PathBuf| now[path].is_some() || self.state.get(path) == Some(&None);
            if is_at_rest && now != self.state && now.keys().all(is_back) {
                return Some(changed(&self.state, &now));
            }
            last = now;
        }
        None
    }
}

/// The files of the router under test: its program, and arguments that are files.
pub(super) fn files_of(routers: &Routers) -> Vec<PathBuf> {
    let Routers::Started(RouterCommand { program, arguments }) = routers else {
        return Vec::new();
    };
    let arguments = arguments.iter().map(PathBuf::from).filter(|argument| argument.is_file());
    found(program).into_iter().chain(arguments).collect()
}

/// A program, by its path or in `PATH`.
fn found(program: &OsStr) -> Option<PathBuf> {
    let path = Path::new(program);
    if path.components().count() > 1 {
        return Some(path.to_owned());
    }
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).map(|folder| folder.join(path)).find(|path| path.is_file())
}

fn state_of(paths: &[PathBuf]) -> State {
    let mut state = State::new();
    paths.iter().for_each(|path| look_at(path, &mut state));
    state
}

/// In a folder, only feature files are watched: runs may write reports there, and routers their
/// logs.
fn look_at(path: &Path, state: &mut State) {
    let known = std::fs::metadata(path);
    if known.as_ref().is_ok_and(std::fs::Metadata::is_dir) {
        let features = feature_files(path).unwrap_or_default();
        features.iter().for_each(|feature| look_at(feature, state));
    } else {
        let known = known.and_then(|known| Ok((known.modified()?, known.len())));
        state.insert(path.to_owned(), known.ok());
    }
}

fn changed(before: &State, after: &State) -> Vec<PathBuf> {
    let paths = before.keys().chain(after.keys().filter(|path| !before.contains_key(*path)));
    paths.filter(|path| before.get(*path) != after.get(*path)).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use conformance_suite::stage::StopReason;

    #[test]
    fn a_changed_a_new_and_a_removed_file_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(format!("{name}.feature"));
        std::fs::write(folder.path().join("report.html"), "1").unwrap();
        std::fs::write(at("same"), "1").unwrap();
        std::fs::write(at("longer"), "1").unwrap();
        std::fs::write(at("gone"), "1").unwrap();
        let files = WatchedFiles::new(vec![folder.path().to_owned()]);
        assert_eq!(files.names().matches(".feature").count(), 3);
        std::fs::write(at("longer"), "12").unwrap();
        std::fs::write(at("new"), "1").unwrap();
        std::fs::remove_file(at("gone")).unwrap();
        let changed = files.wait(&Stop::default()).unwrap();
        assert_eq!(changed, files.changed());
        assert_eq!(changed, [at("gone"), at("longer"), at("new")]);
    }

    #[test]
    fn a_file_that_was_missing_from_the_beginning_is_not_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("router.js"), "1").unwrap();
        let files = WatchedFiles::new(vec![at("missing.js"), at("router.js")]);
        assert!(files.names().contains("missing.js (missing)"), "{}", files.names());
        std::fs::write(at("router.js"), "12").unwrap();
        let (done, is_done) = std::sync::mpsc::channel();
        let stop = Stop::default();
        std::thread::scope(|scope| {
            scope.spawn(|| done.send(files.wait(&stop)));
            let changed = is_done.recv_timeout(Duration::from_secs(20));
            stop.request(StopReason::Interrupted);
            assert_eq!(changed, Ok(Some(vec![at("router.js")])));
        });
    }

    #[test]
    fn a_program_that_is_being_built_is_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("router");
        std::fs::write(&program, "1").unwrap();
        let files = WatchedFiles::new(vec![program.clone()]);
        std::fs::remove_file(&program).unwrap();
        let stop = Stop::default();
        let changed = std::thread::scope(|scope| {
            let waiting = scope.spawn(|| files.wait(&stop));
            std::fs::write(&program, "12").unwrap();
            waiting.join().unwrap()
        });
        assert_eq!(changed, Some(vec![program]));
    }

    #[test]
    fn the_program_and_the_scripts_of_a_command_are_watched() {
        let folder = tempfile::tempdir().unwrap();
        let script = folder.path().join("router.py");
        std::fs::write(&script, "").unwrap();
        let command = RouterCommand {
            program: "sh".into(),
            arguments: vec![script.clone().into(), "{listen}".into()],
        };
        let files = files_of(&Routers::Started(command));
        assert!(files[0].is_absolute() && files[0].ends_with("sh"), "{files:?}");
        assert_eq!(files[1..], [script]);
    }
}
