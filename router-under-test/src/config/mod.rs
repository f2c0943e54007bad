//! The configuration: what the router is told about itself and the cells, checked once at the edge.

mod cell_url;
mod environment;
mod error;
mod file;
mod member;
mod parse;
mod proxies;
mod renew;
mod settings;
#[cfg(test)]
pub(crate) mod tests;
mod topology;
mod user_timeouts;

use std::io;
use std::path::PathBuf;

pub(crate) use cell_url::CellUrl;
pub use environment::{Environment, ProcessEnvironment};
pub(crate) use error::ConfigError;
pub(crate) use settings::{Key, Settings, Stream};
pub(crate) use topology::{CellIndex, Protocol, Topology};
pub(crate) use user_timeouts::{BodyTimeout, UserTimeouts};

use crate::wire;
use error::MemberError;
use settings::text_variable;

/// Where the configuration is read from: variables, and the topology file that one of them names.
pub(crate) struct Source<'a> {
    environment: &'a dyn Environment,
    path: PathBuf,
}

impl<'a> Source<'a> {
    /// Reads nothing yet but the name of the file.
    pub(crate) fn new(environment: &'a dyn Environment) -> Result<Self, ConfigError> {
        let name = wire::TOPOLOGY_VARIABLE;
        let path = environment.variable(name).ok_or(ConfigError::VariableMissing(name))?;
        Ok(Self { environment, path: path.into() })
    }

    /// Reads file and variables, and holds both against each other.
    pub(crate) fn load(&self) -> Result<Topology, ConfigError> {
        self.parse(file::read(&self.path))
    }

    /// Reads both again, for a router that serves with `before`. It never blocks the thread.
    pub(crate) async fn load_again(&self, before: &Topology) -> Result<Topology, ConfigError> {
        let path = self.path.clone();
        let topology = self.parse(file::aside(file::LIMIT, move || file::read(&path)).await)?;
        topology.after(before).map_err(|error| self.member(error))
    }

    fn member(&self, error: MemberError) -> ConfigError {
        ConfigError::Member { path: self.path.clone(), error }
    }

    fn parse(&self, text: io::Result<Vec<u8>>) -> Result<Topology, ConfigError> {
        let (environment, path) = (self.environment, || self.path.clone());
        let text = text.map_err(|error| ConfigError::Unreadable { path: path(), error })?;
        let document = serde_json::from_slice(&text)
            .map_err(|error| ConfigError::NotJson { path: path(), error })?;
        let variables = parse::Variables {
            listen: text_variable(environment, wire::LISTEN_VARIABLE)?,
            region: text_variable(environment, wire::REGION_VARIABLE)?,
            protocol: text_variable(environment, wire::PROTOCOL_VARIABLE)?,
        };
        let topology =
            parse::topology(&document, &variables).map_err(|error| self.member(error))?;
        let settings = Settings::read(environment, topology.cells().len())?;
        if topology.cookie_cache && settings.cookie_key.is_none() {
            let problem = "is not set, and `capabilities.cookie_cache` switches the route cookie on: \
                           give all routers of the fleet the same secret";
            let name = wire::COOKIE_KEY_VARIABLE;
            return Err(ConfigError::Variable { name, problem: problem.to_owned() });
        }
        Ok(Topology { settings, ..topology })
    }
}
