//! The router under test, as the command line names it.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;

use clap::Args;

use crate::catalog::Case;
use crate::claims;
use crate::launch::reference_router;
use crate::report::data::Router;
use crate::router_file::{Capability, REFERENCE_CLAIMS, RouterFile};
use crate::stage::{RouterCommand, Routers, RunningRouters};

/// Which router; the reference router where nothing is said.
#[derive(Debug, Default, Args)]
pub(super) struct WhichRouter {
    /// A router file: what the router is, how it is started, what it claims and is known to fail
    #[arg(long, value_name = "FILE", conflicts_with_all = ["command", "routers"])]
    router_file: Option<PathBuf>,
    /// A router that runs already, with the topology of `--topology`: eu=http://127.0.0.1:21001
    /// (repeatable)
    #[arg(
        long = "router",
        value_name = "REGION=URL",
        requires = "topology",
        conflicts_with = "command"
    )]
    routers: Vec<String>,
    /// The topology file that the running routers were given, as `cells-conformance topology`
    /// writes it
    #[arg(long, value_name = "FILE", requires = "routers")]
    topology: Option<PathBuf>,
    /// A shell command that makes the running router of CELLS_REGION cold and has it read the
    /// topology file that CELLS_TOPOLOGY names
    #[arg(long, value_name = "COMMAND", requires = "routers")]
    reset: Option<String>,
    /// The command that starts the router under test, with its arguments, in which `{topology}`,
    /// `{listen}`, `{region}` and `{protocol}` are replaced
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

/// The router under test.
pub(super) struct Subject {
    pub(super) routers: Routers,
    pub(super) file: Option<RouterFile>,
    pub(super) described: Router,
    /// Claimed where there is no router file to claim it.
    claimed: &'static [Capability],
}

/// Why a case is not run at all.
pub(super) enum Skip {
    NotApplicable(String),
    CouldNotRun(String),
}

impl WhichRouter {
    /// The options as they were given, for a command that runs a scenario again.
    pub(super) fn words(&self) -> String {
        let mut words = Vec::new();
        if let Some(file) = &self.router_file {
            words.push(format!("--router-file {}", file.display()));
        }
        words.extend(self.routers.iter().map(|router| format!("--router {router}")));
        if let Some(topology) = &self.topology {
            words.push(format!("--topology {}", topology.display()));
        }
        if let Some(reset) = &self.reset {
            words.push(format!("--reset '{reset}'"));
        }
        if !self.command.is_empty() {
            words.push("--".to_owned());
            words.extend(self.command.iter().map(|word| word.to_string_lossy().into_owned()));
        }
        words.join(" ")
    }

    /// Reads what the options name.
    pub(super) fn subject(&self) -> Result<Subject, String> {
        let lost = |error: io::Error| format!("the router cannot be found: {error}");
        if let Some(path) = &self.router_file {
            let file = RouterFile::read(path).map_err(|error| error.to_string())?;
            let command = file.router_command().map_err(lost)?;
            return Ok(Subject {
                routers: Routers::Started(command),
                described: described(&file),
                file: Some(file),
                claimed: &[],
            });
        }
        if let Some(topology) = &self.topology {
            let reset = self.reset.as_ref().map(|line| RouterCommand {
                program: "sh".into(),
                arguments: vec!["-c".into(), line.into()],
            });
            let running = RunningRouters::read(topology, &self.routers, reset)
                .map_err(|error| error.to_string())?;
            let described = Router {
                name: self.routers.join(" "),
                protocols: vec![running.protocol.as_str().to_owned()],
                ..Router::default()
            };
            return Ok(Subject {
                routers: Routers::Running(running),
                file: None,
                described,
                claimed: &[],
            });
        }
        let (command, described, claimed): (_, _, &[_]) = match self.command.split_first() {
            Some((program, arguments)) => {
                let words: Vec<_> =
                    self.command.iter().map(|word| word.to_string_lossy().into_owned()).collect();
                let described =
                    Router { name: words.join(" "), command: words, ..Router::default() };
                (RouterCommand::new(program, arguments).map_err(lost)?, described, &[])
            }
            None => {
                let described = Router {
                    name: "reference router".to_owned(),
                    version: Some(env!("CARGO_PKG_VERSION").to_owned()),
                    command: vec!["cells-conformance".to_owned(), "router".to_owned()],
                    capabilities: REFERENCE_CLAIMS
                        .iter()
                        .map(|capability| capability.as_str().to_owned())
                        .collect(),
                    ..Router::default()
                };
                (
                    reference_router(std::env::current_exe().map_err(lost)?),
                    described,
                    &REFERENCE_CLAIMS,
                )
            }
        };
        Ok(Subject { routers: Routers::Started(command), file: None, described, claimed })
    }
}

fn described(file: &RouterFile) -> Router {
    Router {
        name: file.name.clone(),
        version: file.version.clone(),
        url: file.url.clone(),
        contact: file.contact.clone(),
        command: file.command.clone(),
        protocols: file.protocol_names(),
        capabilities: file
            .capabilities
            .iter()
            .map(|capability| capability.as_str().to_owned())
            .collect(),
    }
}

impl Subject {
    /// Whether the router claims a capability, in its router file or for being the reference
    /// router.
    pub(super) fn claims(&self, capability: Capability) -> bool {
        self.file.as_ref().map_or(self.claimed, |file| &file.capabilities).contains(&capability)
    }

    /// Why a case is not to be run against this router, if it is not.
    pub(super) fn skips(&self, case: &Case) -> Option<Skip> {
        let unclaimed = match &self.file {
            Some(file) => claims::not_applicable(case, file),
            None => {
                let needed = case.capability().filter(|needed| {
                    !self.claimed.iter().any(|claimed| claimed.as_str() == *needed)
                });
                needed.map(|needed| format!("nothing claims {needed}; a router file can"))
            }
        };
        if let Some(why) = unclaimed {
            return Some(Skip::NotApplicable(why));
        }
        let Routers::Running(running) = &self.routers else { return None };
        let could_not = |why: &str| Some(Skip::CouldNotRun(why.to_owned()));
        if !case.needs.router {
            None
        } else if case.needs.process {
            could_not("the suite neither starts nor stops routers that run already")
        } else if running.reset.is_some() {
            None
        } else if running.protocol != case.protocol {
            could_not(
                "the running routers are set up for the other protocol; `--reset COMMAND` can change that",
            )
        } else if !case.holds_with_any_cache() {
            could_not("it needs a cold router; `--reset COMMAND` can make one")
        } else {
            None
        }
    }

    /// Whether scenarios can run side by side.
    pub(super) fn is_shared(&self) -> bool {
        matches!(self.routers, Routers::Running(_))
    }
}
