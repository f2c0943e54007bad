//! The configuration: what the router is told about itself and the cells, checked once at the edge.

mod cell_url;
mod environment;
mod error;
mod member;
mod parse;
mod proxies;
mod renew;
mod settings;
#[cfg(test)]
pub(crate) mod tests;
mod topology;
mod user_timeouts;

use std::path::PathBuf;

pub(crate) use cell_url::CellUrl;
pub use environment::{Environment, ProcessEnvironment};
pub(crate) use error::ConfigError;
pub(crate) use settings::{Key, Settings, Stream};
pub(crate) use topology::{CellIndex, Protocol, Topology};
pub(crate) use user_timeouts::{BodyTimeout, UserTimeouts};

use crate::wire;
use settings::text_variable;

/// Reads the topology file that the environment names, and holds both against each other.
pub(crate) fn load(environment: &dyn Environment) -> Result<Topology, ConfigError> {
    read(environment, path(environment)?)
}

/// Reads it again, for a router that serves with `before`.
pub(crate) fn load_again(
    environment: &dyn Environment,
    before: &Topology,
) -> Result<Topology, ConfigError> {
    let path = path(environment)?;
    let topology = read(environment, path.clone())?;
    topology.after(before).map_err(|error| ConfigError::Member { path, error })
}

fn path(environment: &dyn Environment) -> Result<PathBuf, ConfigError> {
    let name = wire::TOPOLOGY_VARIABLE;
    environment.variable(name).map(PathBuf::from).ok_or(ConfigError::VariableMissing(name))
}

fn read(environment: &dyn Environment, path: PathBuf) -> Result<Topology, ConfigError> {
    let text = match std::fs::read(&path) {
        Ok(text) => text,
        Err(error) => return Err(ConfigError::Unreadable { path, error }),
    };
    let document = match serde_json::from_slice(&text) {
        Ok(document) => document,
        Err(error) => return Err(ConfigError::NotJson { path, error }),
    };
    let variables = parse::Variables {
        listen: text_variable(environment, wire::LISTEN_VARIABLE)?,
        region: text_variable(environment, wire::REGION_VARIABLE)?,
        protocol: text_variable(environment, wire::PROTOCOL_VARIABLE)?,
    };
    let topology = parse::topology(&document, &variables)
        .map_err(|error| ConfigError::Member { path, error })?;
    let settings = Settings::read(environment, topology.cells().len())?;
    if topology.cookie_cache && settings.cookie_key.is_none() {
        return Err(ConfigError::Variable {
            name: wire::COOKIE_KEY_VARIABLE,
            problem: "is not set, and `capabilities.cookie_cache` switches the route cookie on: \
                      give all routers of the fleet the same secret"
                .to_owned(),
        });
    }
    Ok(Topology { settings, ..topology })
}
