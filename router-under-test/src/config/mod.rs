//! The topology: what the router is told about itself and the cells, checked once at the edge.

mod cell_url;
mod error;
mod member;
mod parse;
mod patience;
mod proxies;
mod renew;
mod settings;
#[cfg(test)]
pub(crate) mod tests;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

pub(crate) use cell_url::CellUrl;
pub(crate) use error::ConfigError;
pub(crate) use patience::{Allowance, Patience};
pub(crate) use proxies::Proxies;
pub(crate) use settings::{Key, Settings, Stream};

use crate::environment::Environment;
use crate::wire;
use error::MemberError;

/// Which of the two proposals the router follows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Protocol {
    /// Stateless Router with buffering requests.
    Buffering,
    /// Stateless Router with routes learning.
    Learning {
        /// Path of the learn endpoint (LN-02).
        learn_path: String,
    },
}

/// Names one cell of a [`Topology`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct CellIndex(u16);

/// One cell.
#[derive(Clone, Debug)]
pub(crate) struct CellEntry {
    /// Its id in learn responses: `cell_eu0`.
    pub(crate) id: String,
    /// Its name in response headers: `Cell EU0`.
    pub(crate) name: String,
    /// Where it is.
    pub(crate) url: CellUrl,
}

/// The `limits` of the topology file; see the contract for what each bounds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// How often a request is sent to cells, the first time included; at least 1.
    pub(crate) max_hops: u64,
    /// Longest body that is kept for sending it again, in bytes, inclusive.
    pub(crate) max_buffered_body_bytes: u64,
    /// Timeout of connecting to a cell.
    pub(crate) connect_timeout: Duration,
    /// From the last byte of a request to the first of the response.
    pub(crate) response_timeout: Duration,
}

/// Everything the router is told; immutable.
#[derive(Debug)]
pub(crate) struct Topology {
    pub(crate) protocol: Protocol,
    pub(crate) listen: SocketAddr,
    /// Lifetime of a learnt entry.
    pub(crate) ttl: Duration,
    /// How many entries the cache holds at most.
    pub(crate) max_entries: usize,
    pub(crate) limits: Limits,
    /// Longest random delay of a cell's 404 (PR-05); zero: no delay.
    pub(crate) not_found_delay: Duration,
    /// The cell that runs the latest deployment, where it is named (UN-05).
    pub(crate) latest_cell: Option<CellIndex>,
    /// Whether users get a route cookie (CA-15).
    pub(crate) cookie_cache: bool,
    /// Settings that come from variables alone.
    pub(crate) settings: Settings,
    /// The cells, and those that were cells before; see [`Topology::after`].
    known: Vec<CellEntry>,
    /// How many of them there may be.
    most_known: usize,
    /// The cells, in the order of the file.
    present: Vec<CellIndex>,
    own: Vec<CellIndex>,
    others: Vec<CellIndex>,
}

impl Topology {
    /// The cell that an index of this topology stands for, or of an earlier one.
    pub(crate) fn cell(&self, index: CellIndex) -> &CellEntry {
        &self.known[index.place()]
    }

    /// All cells, in the order of the file.
    pub(crate) fn cells(&self) -> impl ExactSizeIterator<Item = CellIndex> + '_ {
        self.present.iter().copied()
    }

    /// Whether an index stands for a cell; not where the cell has gone, or came later.
    pub(crate) fn has(&self, index: CellIndex) -> bool {
        self.present.contains(&index)
    }

    /// How many cells there are, with those that have gone: all indices are below.
    pub(crate) fn known(&self) -> usize {
        self.known.len()
    }

    /// How many there may be in the life of the process.
    pub(crate) fn most_known(&self) -> usize {
        self.most_known
    }

    /// The cells of the router's own region; at least one.
    pub(crate) fn own_cells(&self) -> &[CellIndex] {
        &self.own
    }

    /// The cells of all other regions.
    pub(crate) fn other_cells(&self) -> &[CellIndex] {
        &self.others
    }

    /// The cell whose name is spelled exactly so, byte for byte.
    pub(crate) fn cell_named(&self, name: &[u8]) -> Option<CellIndex> {
        self.position(|cell| cell.name.as_bytes() == name)
    }

    /// The cell whose id is spelled exactly so.
    pub(crate) fn cell_with_id(&self, id: &str) -> Option<CellIndex> {
        self.position(|cell| cell.id == id)
    }

    fn position(&self, wanted: impl Fn(&CellEntry) -> bool) -> Option<CellIndex> {
        self.cells().find(|index| wanted(self.cell(*index)))
    }
}

impl CellIndex {
    /// The cell's place in the topology, from 0.
    pub(crate) fn place(self) -> usize {
        usize::from(self.0)
    }

    /// The cell at a place; parsing has made sure that there are no more than fit.
    pub(crate) fn nth(place: usize) -> Self {
        debug_assert!(place < parse::MOST_CELLS);
        Self(place as u16)
    }

    #[cfg(test)]
    pub(crate) fn at(place: u16) -> Self {
        Self(place)
    }
}

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
    let said = parse::Said {
        listen: text_variable(environment, wire::LISTEN_VARIABLE)?,
        region: text_variable(environment, wire::REGION_VARIABLE)?,
        protocol: text_variable(environment, wire::PROTOCOL_VARIABLE)?,
    };
    let topology =
        parse::topology(&document, &said).map_err(|error| ConfigError::Member { path, error })?;
    let settings = Settings::read(environment, topology.cells().len())?;
    if topology.cookie_cache && settings.cookie_key.is_none() {
        return Err(ConfigError::Variable {
            name: wire::COOKIE_KEY_VARIABLE,
            problem: "is not set, and the topology file switches the route cookie on \
                 (`capabilities.cookie_cache`): give all routers of the fleet the same secret"
                .to_owned(),
        });
    }
    Ok(Topology { settings, ..topology })
}

fn text_variable(
    environment: &dyn Environment,
    name: &'static str,
) -> Result<Option<String>, ConfigError> {
    environment
        .variable(name)
        .map(|value| {
            value
                .into_string()
                .map_err(|_| ConfigError::Variable { name, problem: "is not UTF-8".to_owned() })
        })
        .transpose()
}
