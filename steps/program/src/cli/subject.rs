//! The router under test, as the command line names it.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use clap::Args;

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
    /// `router.toml` of the current folder is taken, unless another router is named
    #[arg(long, value_name = "FILE", conflicts_with = "command")]
    router_file: Option<PathBuf>,
    /// Test the reference router, also where the current folder has a `router.toml`
    #[arg(long, conflicts_with_all = ["router_file", "attach", "command"])]
    reference: bool,
    /// Test routers that run already, at the `addresses` of the router file; this is their topology
    /// file, as `cells-conformance fleet topology` writes it
    #[arg(long, value_name = "TOPOLOGY", conflicts_with = "command")]
    attach: Option<PathBuf>,
    /// Command that starts the router under test; `{topology}`, `{listen}`, `{region}`,
    /// `{protocol}` and `{folder}` (the current folder) are replaced in its arguments
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

impl WhichRouter {
    pub(super) fn of_file(file: PathBuf) -> Self {
        Self { router_file: Some(file), ..Self::default() }
    }

    /// The given options, a word each, for the command that runs a scenario again.
    fn words(&self) -> Vec<String> {
        let mut words = Vec::new();
        let mut add = |option: &str, value: String| words.extend([option.to_owned(), value]);
        if let Some(file) = self.file() {
            add("--router-file", file.display().to_string());
        }
        if let Some(topology) = &self.attach {
            add("--attach", topology.display().to_string());
        }
        if self.reference {
            words.push("--reference".to_owned());
        }
        if !self.command.is_empty() {
            words.push("--".to_owned());
            words.extend(self.command.iter().map(|word| word.to_string_lossy().into_owned()));
        }
        words
    }

    /// The router file that is read: the one that was named, or the one of the current folder.
    pub(super) fn file(&self) -> Option<PathBuf> {
        let is_taken = !self.reference && self.command.is_empty() && is_here();
        self.router_file.clone().or_else(|| is_taken.then(|| ROUTER_FILE.into()))
    }

    /// What the router file names for `run --watch`.
    pub(super) fn watched(&self) -> Result<Vec<PathBuf>, String> {
        let Some(file) = self.file() else { return Ok(Vec::new()) };
        RouterFile::read(&file).map(|file| file.watched()).map_err(|error| error.to_string())
    }

    /// Says what became of a router file in the current folder.
    fn tell(&self) {
        if self.router_file.is_some() || self.reference || !is_here() {
            return;
        }
        say(&if self.command.is_empty() {
            format!(
                "router file: {ROUTER_FILE} of this folder; `--reference` tests the reference \
                 router instead"
            )
        } else {
            format!(
                "note: {ROUTER_FILE} of this folder was not taken, since a command follows `--`; \
                 `--router-file {ROUTER_FILE}` takes it"
            )
        });
    }

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
        if let Some(topology) = &self.attach {
            let file = file.ok_or("`--attach` needs a router file, which has the `addresses`")?;
            return running(topology, &file);
        }
        Ok(if let Some(file) = file {
            if file.command.is_empty() {
                return Err("the router file has no `command`: `--attach TOPOLOGY` tests its \
                            router while it runs"
                    .to_owned());
            }
            let command = file.router_command().map_err(lost)?;
            file.note_on_command().into_iter().for_each(|note| say(&note));
            Subject::started(command, Claims::from(&file), (&file).into())
        } else if let Some((program, arguments)) = self.command.split_first() {
            placeholders::check(arguments.iter().map(OsString::as_os_str))?;
            placeholders::note_on_file(arguments.iter().map(OsString::as_os_str), Path::new(""))
                .into_iter()
                .for_each(|note| say(&note));
            let command = RouterCommand::new(program, arguments, Path::new("")).map_err(lost)?;
            let words: Vec<_> =
                self.command.iter().map(|word| word.to_string_lossy().into_owned()).collect();
            let described =
                RouterRecord { name: words.join(" "), command: words, ..RouterRecord::default() };
            Subject::started(command, Claims::default(), described)
        } else {
            Subject::reference(std::env::current_exe().map_err(lost)?)
        })
    }
}

/// Routers that were running already, with the claims of their router file.
fn running(topology: &Path, file: &RouterFile) -> Result<Subject, String> {
    if file.addresses.is_empty() {
        return Err("`--attach` needs `addresses` in the router file, like `addresses = { eu = \
                    \"http://127.0.0.1:21001\" }`"
            .to_owned());
    }
    let reset = file.reset.as_ref().map(|line| RouterCommand {
        program: "sh".into(),
        arguments: vec!["-c".into(), line.into()],
    });
    let running = RunningRouters::read(topology, &file.addresses, reset)?;
    // The command of the file is not run.
    let described = RouterRecord {
        command: Vec::new(),
        running: file.addresses.keys().cloned().collect(),
        ..RouterRecord::from(file)
    };
    Ok(Subject::running(running, Claims::from(file), described))
}

/// Says a sentence on standard error, folded between words.
pub(super) fn say(text: &str) {
    eprintln!("{}", sentence(text, &Screen::stderr()));
}

/// Starts the stores that the environment asks for, so that no run begins without them.
pub(super) fn start_stores() -> Result<(), String> {
    StoresChoice::of_environment()?.start().map_err(|error| error.to_string())
}

fn is_here() -> bool {
    Path::new(ROUTER_FILE).is_file()
}
