//! The topology file and the environment, read once.

use std::fmt;
use std::time::Duration;

use http::Uri;
use http::uri::Authority;
use serde::Deserialize;
use serde_json::Value;

use crate::kind::{Change, Mutation, Variation};
use crate::protocol::Protocol;

/// Longer than any router of the tests runs.
const A_YEAR: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// A cell, under its three spellings.
#[derive(Debug, Clone)]
pub(crate) struct Cell {
    /// As a learn response names it: `cell_eu0`.
    pub(crate) id: String,
    /// As a response header names it: `Cell EU0`.
    pub(crate) name: String,
    pub(crate) region: String,
    pub(crate) authority: Authority,
}

/// The configuration of a router.
#[derive(Debug, Clone)]
pub(crate) struct Config {
    pub(crate) protocol: Protocol,
    pub(crate) region: String,
    pub(crate) listen: String,
    pub(crate) topology: String,
    pub(crate) learn_path: String,
    /// Position in `cells`.
    pub(crate) latest: Option<usize>,
    pub(crate) ttl: Duration,
    pub(crate) max_entries: usize,
    pub(crate) max_hops: usize,
    pub(crate) max_body: usize,
    /// Whether a second-level cache in the user's cookies is switched on (CA-15).
    pub(crate) cookie_cache: bool,
    /// The longest delay of a cell's 404.
    pub(crate) not_found_delay: Duration,
    pub(crate) connect_timeout: Duration,
    pub(crate) response_timeout: Duration,
    pub(crate) cells: Vec<Cell>,
}

#[derive(Deserialize)]
struct File {
    #[serde(default)]
    learn_path: Option<String>,
    #[serde(default)]
    latest_cell: Option<String>,
    cache: CacheMember,
    limits: Limits,
    #[serde(default)]
    capabilities: Capabilities,
    cells: Vec<CellMember>,
}

#[derive(Deserialize)]
struct CacheMember {
    ttl_ms: u64,
    max_entries: usize,
}

#[derive(Default, Deserialize)]
struct Capabilities {
    #[serde(default)]
    cookie_cache: bool,
    #[serde(default)]
    not_found_delay_ms: u64,
}

#[derive(Deserialize)]
struct Limits {
    max_hops: usize,
    max_buffered_body_bytes: usize,
    connect_timeout_ms: u64,
    response_timeout_ms: u64,
}

#[derive(Deserialize)]
struct CellMember {
    id: String,
    name: String,
    region: String,
    url: String,
}

/// Why a router cannot start.
#[derive(Debug)]
pub(crate) enum Error {
    Missing(&'static str),
    Unreadable(String, std::io::Error),
    Malformed(String, serde_json::Error),
    UnknownMember(String),
    CellUrl(String),
    NoCellInRegion(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(variable) => write!(f, "{variable} is not set"),
            Self::Unreadable(path, error) => write!(f, "cannot read {path}: {error}"),
            Self::Malformed(path, error) => write!(f, "{path} is not a topology: {error}"),
            Self::UnknownMember(name) => write!(f, "the topology has an unknown member {name:?}"),
            Self::CellUrl(url) => write!(f, "no host and port in the url {url:?}"),
            Self::NoCellInRegion(region) => write!(f, "no cell in the region {region:?}"),
        }
    }
}

impl std::error::Error for Error {}

impl Config {
    /// A file beside the topology, for the mutations that write one.
    pub(crate) fn beside(&self, ending: &str) -> String {
        format!("{}.{ending}", self.topology)
    }

    /// Reads the environment through `variable`, and the topology file that it names.
    pub(crate) fn read(
        variable: &dyn Fn(&str) -> Option<String>,
        protocol: Protocol,
        change: Change,
    ) -> Result<Self, Error> {
        let required = |name: &'static str| variable(name).ok_or(Error::Missing(name));
        let topology = required("CELLS_TOPOLOGY")?;
        let listen = required("CELLS_LISTEN")?;
        let region = required("CELLS_REGION")?;
        let text =
            std::fs::read(&topology).map_err(|error| Error::Unreadable(topology.clone(), error))?;
        let malformed = |error| Error::Malformed(topology.clone(), error);
        if change.has(Mutation::RefusesUnknownTopologyMembers) {
            only_known_members(&serde_json::from_slice(&text).map_err(malformed)?)?;
        }
        let file: File = serde_json::from_slice(&text).map_err(malformed)?;
        let mut cells = file.cells.into_iter().map(cell).collect::<Result<Vec<_>, _>>()?;
        if change.has(Mutation::LoadsItsOwnRegionOnly) {
            cells.retain(|cell| cell.region == region);
        }
        if change.has(Mutation::TakesRegionsThatBeginAlike) {
            cells
                .iter_mut()
                .filter(|cell| cell.region.starts_with(&region))
                .for_each(|cell| cell.region.clone_from(&region));
        }
        if !cells.iter().any(|cell| cell.region == region) {
            return Err(Error::NoCellInRegion(region));
        }
        let latest = file.latest_cell.and_then(|id| cells.iter().position(|cell| cell.id == id));
        let ttl = match change {
            Change::Mutation(Mutation::TtlInSeconds) => Duration::from_secs(file.cache.ttl_ms),
            Change::Variation(Variation::KeepsEntriesWithoutEnd) => A_YEAR,
            _ => Duration::from_millis(file.cache.ttl_ms),
        };
        Ok(Self {
            protocol,
            region,
            listen,
            learn_path: file
                .learn_path
                .unwrap_or_else(|| "/api/v4/internal/cells/learn".to_owned()),
            latest,
            ttl,
            max_entries: file.cache.max_entries,
            max_hops: file.limits.max_hops,
            max_body: file.limits.max_buffered_body_bytes,
            cookie_cache: file.capabilities.cookie_cache,
            not_found_delay: Duration::from_millis(file.capabilities.not_found_delay_ms),
            connect_timeout: Duration::from_millis(file.limits.connect_timeout_ms),
            response_timeout: Duration::from_millis(file.limits.response_timeout_ms),
            cells,
            topology,
        })
    }

    /// The positions of the cells of the router's own region.
    pub(crate) fn own_cells(&self) -> Vec<usize> {
        let own = |position: &usize| self.cells[*position].region == self.region;
        (0..self.cells.len()).filter(own).collect()
    }
}

fn cell(member: CellMember) -> Result<Cell, Error> {
    let authority = member.url.parse::<Uri>().ok().and_then(|url| url.authority().cloned());
    let Some(authority) = authority else { return Err(Error::CellUrl(member.url)) };
    Ok(Cell { id: member.id, name: member.name, region: member.region, authority })
}

/// The mutation of a reader that refuses unknown members.
fn only_known_members(file: &Value) -> Result<(), Error> {
    const TOP: [&str; 10] = [
        "version",
        "protocol",
        "region",
        "listen",
        "learn_path",
        "latest_cell",
        "cache",
        "limits",
        "capabilities",
        "cells",
    ];
    const CELL: [&str; 5] = ["id", "name", "slug", "region", "url"];
    let unknown = |object: &Value, known: &[&str]| {
        let members = object.as_object().into_iter().flatten();
        members.map(|(name, _)| name.clone()).find(|name| !known.contains(&name.as_str()))
    };
    let cells = file["cells"].as_array().into_iter().flatten();
    let strange =
        unknown(file, &TOP).or_else(|| cells.filter_map(|cell| unknown(cell, &CELL)).next());
    strange.map_or(Ok(()), |name| Err(Error::UnknownMember(name)))
}
