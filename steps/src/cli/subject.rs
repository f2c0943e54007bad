//! The router under test, as the command line names it.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::engine::Subject;
use crate::engine::claims::Claims;
use crate::engine::record::RouterRecord;
use crate::placeholders;
use crate::router_file::RouterFile;
use crate::stage::{RouterCommand, Routers, RunningRouters};

/// The options that name the router under test; without any, it is the reference router.
#[derive(Debug, Default, Args)]
pub(super) struct WhichRouter {
    /// Router file: name, command, claims and known failures of the router
    #[arg(long, value_name = "FILE", conflicts_with_all = ["command", "routers"])]
    router_file: Option<PathBuf>,
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
    /// Command that starts the router under test; `{topology}`, `{listen}`, `{region}` and
    /// `{protocol}` are replaced in its arguments
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

impl WhichRouter {
    /// The given options, a word each, for the command that runs a scenario again.
    fn words(&self) -> Vec<String> {
        let mut words = Vec::new();
        let mut add = |option: &str, value: String| words.extend([option.to_owned(), value]);
        if let Some(file) = &self.router_file {
            add("--router-file", file.display().to_string());
        }
        self.routers.iter().for_each(|router| add("--router", router.clone()));
        if let Some(topology) = &self.topology {
            add("--topology", topology.display().to_string());
        }
        if let Some(reset) = &self.reset {
            add("--reset", reset.clone());
        }
        if !self.command.is_empty() {
            words.push("--".to_owned());
            words.extend(self.command.iter().map(|word| word.to_string_lossy().into_owned()));
        }
        words
    }

    /// The router file, if the options name one.
    pub(super) fn file(&self) -> Option<&Path> {
        self.router_file.as_deref()
    }

    /// The router that the options name.
    pub(super) fn subject(&self) -> Result<Subject, String> {
        let mut subject = self.named()?;
        subject.described.options = self.words();
        Ok(subject)
    }

    fn named(&self) -> Result<Subject, String> {
        let lost = |error: io::Error| format!("the router cannot be found: {error}");
        if let Some(path) = &self.router_file {
            let file = RouterFile::read(path).map_err(|error| error.to_string())?;
            let command = file.router_command().map_err(lost)?;
            return Ok(Subject::started(command, Claims::from(&file), (&file).into()));
        }
        if let Some(topology) = &self.topology {
            return self.running(topology);
        }
        let Some((program, arguments)) = self.command.split_first() else {
            return Ok(Subject::reference(std::env::current_exe().map_err(lost)?));
        };
        placeholders::check(arguments.iter().map(OsString::as_os_str))?;
        let command = RouterCommand::new(program, arguments).map_err(lost)?;
        let words: Vec<_> =
            self.command.iter().map(|word| word.to_string_lossy().into_owned()).collect();
        let described =
            RouterRecord { name: words.join(" "), command: words, ..RouterRecord::default() };
        Ok(Subject::started(command, Claims::default(), described))
    }

    /// Routers that were running already.
    fn running(&self, topology: &Path) -> Result<Subject, String> {
        let reset = self.reset.as_ref().map(|line| RouterCommand {
            program: "sh".into(),
            arguments: vec!["-c".into(), line.into()],
        });
        let running = RunningRouters::read(topology, &self.routers, reset)
            .map_err(|error| error.to_string())?;
        let described = RouterRecord {
            name: self.routers.join(" "),
            protocols: vec![running.protocol.as_str().to_owned()],
            ..RouterRecord::default()
        };
        Ok(Subject { routers: Routers::Running(running), claims: Claims::default(), described })
    }
}
