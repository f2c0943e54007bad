//! The router under test, as the command line names it.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use clap::Args;

use super::fleet_place::PlaceOptions;
use conformance_suite::engine::Subject;
use conformance_suite::engine::claims::Claims;
use conformance_suite::engine::record::RouterRecord;
use conformance_suite::report::{Screen, sentence};
use conformance_suite::router_file::RouterFile;
use conformance_suite::stage::{RouterCommand, RunningRouters, StoresChoice, look, placeholders};

/// The router file that is taken from the current folder.
const ROUTER_FILE: &str = "router.toml";

/// The options that name the router under test. Without any, it is the one of `router.toml` in the
/// current folder, and the reference router where there is no such file.
#[derive(Debug, Default, Args)]
pub(super) struct WhichRouter {
    /// Router file: name, command, claims and known failures of the router. Without it,
    /// `router.toml` of the current folder is taken, where no other option names a router
    #[arg(long, value_name = "FILE", conflicts_with = "command")]
    router_file: Option<PathBuf>,
    /// Test the reference router, also where the current folder has a `router.toml`
    #[arg(long, conflicts_with_all = ["router_file", "routers", "command"])]
    reference: bool,
    /// Running router with the topology of `--topology`, like eu=http://127.0.0.1:21001
    /// (repeatable)
    #[arg(
        long = "router",
        value_name = "REGION=URL",
        requires = "topology",
        conflicts_with = "command"
    )]
    routers: Vec<String>,
    /// Topology file of the running routers, as `cells-conformance topology` writes it
    #[arg(long, value_name = "FILE", requires = "routers")]
    topology: Option<PathBuf>,
    /// Shell command that empties the cache of the running router of CELLS_REGION and makes it read
    /// the topology file in CELLS_TOPOLOGY
    #[arg(long, value_name = "COMMAND", requires = "routers")]
    reset: Option<String>,
    #[command(flatten)]
    place: PlaceOptions,
    /// Command that starts the router under test; `{topology}`, `{listen}`, `{region}`,
    /// `{protocol}` and `{folder}` (the current folder) are replaced in its arguments
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

/// What becomes of a router file in the current folder.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum FoundFile {
    /// The router file of the current folder is taken.
    Taken,
    /// The router file of the current folder is not taken, for this reason.
    Left(&'static str),
    /// Nobody asks for it: an option names the router file or the reference router.
    Ignored,
}

impl WhichRouter {
    /// The given options, a word each, for the command that runs a scenario again. A report is
    /// published, so addresses and the reset command are variables.
    fn words(&self) -> Vec<String> {
        let mut words = Vec::new();
        let mut add = |option: &str, value: String| words.extend([option.to_owned(), value]);
        if let Some(file) = self.file() {
            add("--router-file", file.display().to_string());
        }
        for region in self.regions() {
            add("--router", format!("{region}=$ROUTER_{}", region.to_uppercase()));
        }
        if let Some(topology) = &self.topology {
            add("--topology", topology.display().to_string());
        }
        if self.reset.is_some() {
            add("--reset", "$RESET".to_owned());
        }
        if self.reference {
            words.push("--reference".to_owned());
        }
        words.extend(self.place.words());
        if !self.command.is_empty() {
            words.push("--".to_owned());
            words.extend(self.command.iter().map(|word| word.to_string_lossy().into_owned()));
        }
        words
    }

    /// The regions of routers that run already.
    fn regions(&self) -> impl Iterator<Item = &str> {
        self.routers.iter().filter_map(|router| Some(router.split_once('=')?.0))
    }

    /// What becomes of a router file in the current folder, if there is one.
    fn found_file(&self) -> FoundFile {
        if self.router_file.is_some() || self.reference {
            FoundFile::Ignored
        } else if !self.command.is_empty() {
            FoundFile::Left("a command follows `--`")
        } else if !self.routers.is_empty() {
            FoundFile::Left("`--router` names routers that run already")
        } else {
            FoundFile::Taken
        }
    }

    /// The router file that is read: the one that was named, or the one of the current folder.
    pub(super) fn file(&self) -> Option<PathBuf> {
        let found = || self.found_file() == FoundFile::Taken && is_here();
        self.router_file.clone().or_else(|| found().then(|| ROUTER_FILE.into()))
    }

    /// What the router file names for `run --watch`.
    pub(super) fn watched(&self) -> Result<Vec<PathBuf>, String> {
        let Some(file) = self.file() else { return Ok(Vec::new()) };
        RouterFile::read(&file).map(|file| file.watched()).map_err(|error| error.to_string())
    }

    /// The folder of the router: that of its file, or the current one.
    pub(super) fn folder(&self) -> Result<PathBuf, String> {
        let file = self.file().unwrap_or_default();
        let folder = std::path::absolute(file.parent().unwrap_or(Path::new("")).join("."));
        folder.map(|path| path.components().collect()).map_err(|error| error.to_string())
    }

    /// Says what became of a router file in the current folder.
    fn tell(&self) {
        match self.found_file() {
            FoundFile::Taken if is_here() => say(&format!(
                "router file: {ROUTER_FILE} of this folder; `--reference` tests the reference \
                 router instead"
            )),
            FoundFile::Left(why) if is_here() => say(&format!(
                "note: {ROUTER_FILE} of this folder was not taken, since {why}; `--router-file \
                 {ROUTER_FILE}` takes it"
            )),
            FoundFile::Taken | FoundFile::Left(_) | FoundFile::Ignored => {}
        }
    }

    /// The router that the options name.
    pub(super) fn subject(&self) -> Result<Subject, String> {
        let mut subject = self.named()?;
        look()?;
        subject.described.options = self.words();
        Ok(subject)
    }

    fn named(&self) -> Result<Subject, String> {
        let lost = |error: io::Error| format!("the router cannot be found: {error}");
        self.tell();
        let file = self.file().map(|path| RouterFile::read(&path));
        let file = file.transpose().map_err(|error| error.to_string())?;
        if let Some(topology) = &self.topology {
            return self.running(topology, file.as_ref());
        }
        let subject = if let Some(file) = file {
            let command = file.router_command().map_err(lost)?;
            file.note_on_command().into_iter().for_each(|note| say(&note));
            Subject::started(command, Claims::from(&file), (&file).into())
        } else if let Some((program, arguments)) = self.command.split_first() {
            placeholders::check(arguments.iter().map(OsString::as_os_str))?;
            placeholders::note_on_file(arguments.iter().map(OsString::as_os_str), Path::new(""))
                .into_iter()
                .for_each(|note| say(&note));
            let command = RouterCommand::new(program, arguments).map_err(lost)?;
            let words: Vec<_> =
                self.command.iter().map(|word| word.to_string_lossy().into_owned()).collect();
            let described =
                RouterRecord { name: words.join(" "), command: words, ..RouterRecord::default() };
            Subject::started(command, Claims::default(), described)
        } else {
            Subject::reference(std::env::current_exe().map_err(lost)?)
        };
        Ok(Subject { place: self.place.place()?, ..subject })
    }

    /// Routers that were running already, with the claims of their router file.
    fn running(&self, topology: &Path, file: Option<&RouterFile>) -> Result<Subject, String> {
        let reset = self.reset.as_ref().map(|line| RouterCommand {
            program: "sh".into(),
            arguments: vec!["-c".into(), line.into()],
        });
        let running = RunningRouters::read(topology, &self.routers, reset)
            .map_err(|error| error.to_string())?;
        let described = file.map_or_else(
            || RouterRecord { name: "running router".to_owned(), ..RouterRecord::default() },
            RouterRecord::from,
        );
        // The command of the file is not run.
        let running_in = self.regions().map(str::to_owned).collect();
        let described = RouterRecord { command: Vec::new(), running: running_in, ..described };
        let claims = file.map_or_else(Claims::default, Claims::from);
        let subject = Subject::running(running, claims, described);
        Ok(Subject { place: self.place.chosen(), ..subject })
    }
}

/// Says a sentence on standard error, folded between words.
fn say(text: &str) {
    eprintln!("{}", sentence(text, &Screen::stderr()));
}

/// Starts the stores that the environment asks for, so that no run begins without them.
pub(super) fn start_stores() -> Result<(), String> {
    StoresChoice::of_environment()?.start().map_err(|error| error.to_string())
}

/// Whether the current folder has a router file.
fn is_here() -> bool {
    Path::new(ROUTER_FILE).is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_router_file_of_the_folder_is_taken_where_nothing_else_names_a_router() {
        let file = |which: WhichRouter| which.found_file();
        assert_eq!(file(WhichRouter::default()), FoundFile::Taken);
        assert_eq!(file(WhichRouter { reference: true, ..Default::default() }), FoundFile::Ignored);
        let named = Some("other.toml".into());
        assert_eq!(
            file(WhichRouter { router_file: named, ..Default::default() }),
            FoundFile::Ignored
        );
        let command = vec!["router".into()];
        assert!(matches!(
            file(WhichRouter { command, ..Default::default() }),
            FoundFile::Left(why) if why.contains("`--`")
        ));
        let routers = vec!["eu=http://127.0.0.1:1".to_owned()];
        assert!(matches!(
            file(WhichRouter { routers, ..Default::default() }),
            FoundFile::Left(why) if why.contains("--router")
        ));
    }

    #[test]
    fn options_are_kept_a_word_each() {
        let which = WhichRouter {
            router_file: Some("my router.toml".into()),
            routers: vec!["eu=http://127.0.0.1:1".to_owned()],
            topology: Some("t.json".into()),
            reset: Some("sh reset.sh $A".to_owned()),
            ..Default::default()
        };
        assert_eq!(
            which.words(),
            [
                "--router-file",
                "my router.toml",
                "--router",
                "eu=$ROUTER_EU",
                "--topology",
                "t.json",
                "--reset",
                "$RESET",
            ]
        );
    }
}
