//! The topology: what the router is told about itself and the cells. It never changes.

use std::net::SocketAddr;
use std::time::Duration;

use http::HeaderValue;
use serde::{Deserialize, Deserializer};

use crate::request::host_and_port;

/// Names one cell of a [`Topology`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CellIndex(usize);

impl CellIndex {
    /// The cell's position in the topology file, from 0.
    pub fn index(self) -> usize {
        self.0
    }

    /// The cell at a position.
    pub fn nth(index: usize) -> Self {
        Self(index)
    }
}

/// What the router is told about one cell.
#[derive(Clone, Debug, Deserialize)]
pub struct Cell {
    /// Its id in learn responses: `cell_eu0`.
    pub id: String,
    /// Its name in response headers: `Cell EU0` (BF-10).
    pub name: String,
    pub url: CellUrl,
    /// The region that it is in: `eu`.
    pub region: String,
}

/// Which of the two proposals the router follows.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "protocol", rename_all = "lowercase")]
pub enum Protocol {
    /// Stateless Router with buffering requests.
    Buffering,
    /// Stateless Router with routes learning.
    Learning {
        /// Path of the learn endpoint (LN-02).
        learn_path: String,
    },
}

impl Protocol {
    /// Its name in the topology file.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Buffering => "buffering",
            Self::Learning { .. } => "learning",
        }
    }
}

/// The `cache` of the topology file.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct CacheLimits {
    /// Lifetime of a learned entry.
    #[serde(rename = "ttl_ms", deserialize_with = "millis")]
    pub ttl: Duration,
    /// How many paths the cache holds at most.
    pub max_entries: usize,
}

/// The `limits` of the topology file; the contract says what each bounds.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Limits {
    /// How often a request is sent to cells, the first time included; at least 1.
    pub max_hops: u64,
    /// Longest body that is kept for sending it again, in bytes, inclusive.
    pub max_buffered_body_bytes: u64,
    /// Timeout of connecting to a cell.
    #[serde(rename = "connect_timeout_ms", deserialize_with = "millis")]
    pub connect_timeout: Duration,
    /// From the last byte of a request to the first of the response.
    #[serde(rename = "response_timeout_ms", deserialize_with = "millis")]
    pub response_timeout: Duration,
}

/// The `capabilities` of the topology file that this router has.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Capabilities {
    /// Whether users get a route cookie (CA-15).
    pub cookie_cache: bool,
    /// Longest random delay of a cell's 404 (PR-05); zero: no delay.
    #[serde(rename = "not_found_delay_ms", deserialize_with = "millis")]
    pub not_found_delay: Duration,
}

fn millis<'de, D: Deserializer<'de>>(value: D) -> Result<Duration, D::Error> {
    u64::deserialize(value).map(Duration::from_millis)
}

/// Everything the topology file says. Members that are not known are skipped (Z-40).
#[derive(Clone, Debug, Deserialize)]
pub struct Topology {
    /// The version of the contract.
    pub version: u64,
    /// Which of the two proposals the router follows.
    #[serde(flatten)]
    pub protocol: Protocol,
    /// The router's own region.
    pub region: String,
    /// The address that users connect to.
    pub listen: SocketAddr,
    /// What bounds the cache.
    pub cache: CacheLimits,
    /// What bounds one request.
    pub limits: Limits,
    /// What is switched on.
    #[serde(default)]
    pub capabilities: Capabilities,
    /// The id of the cell that runs the latest deployment, where it is named (UN-05).
    pub latest_cell: Option<String>,
    /// All cells, in the order of the file; at least one is in the router's own region.
    pub cells: Vec<Cell>,
}

impl Topology {
    /// The cell that an index of this topology stands for.
    pub fn cell(&self, index: CellIndex) -> &Cell {
        &self.cells[index.0]
    }

    /// All cells, in the order of the file.
    pub fn all(&self) -> impl ExactSizeIterator<Item = CellIndex> + use<> {
        (0..self.cells.len()).map(CellIndex)
    }

    /// The cells of the router's own region, and those of all others.
    pub fn by_region(&self) -> (Vec<CellIndex>, Vec<CellIndex>) {
        self.all().partition(|index| self.cell(*index).region == self.region)
    }

    /// The cell that runs the latest deployment.
    pub fn latest(&self) -> Option<CellIndex> {
        self.cell_with_id(self.latest_cell.as_ref()?)
    }

    /// The cell whose name is spelled exactly so, byte for byte.
    pub fn cell_named(&self, name: &[u8]) -> Option<CellIndex> {
        self.all().find(|index| self.cell(*index).name.as_bytes() == name)
    }

    /// The cell whose id is spelled exactly so.
    pub fn cell_with_id(&self, id: &str) -> Option<CellIndex> {
        self.all().find(|index| self.cell(*index).id == id)
    }
}

/// The address of a cell: plain HTTP, host and port, nothing else.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "String")]
pub struct CellUrl {
    host: String,
    port: u16,
    authority: HeaderValue,
}

impl CellUrl {
    /// The host in lower case, an IPv6 address without its brackets.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// The port; 80 where the URL has none.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Host and port in one spelling, always with the port.
    pub fn authority(&self) -> &str {
        // It was made of a string.
        self.authority.to_str().unwrap_or_default()
    }

    /// For the `Host` of the router's own requests.
    pub fn host_header(&self) -> HeaderValue {
        self.authority.clone()
    }
}

impl TryFrom<String> for CellUrl {
    type Error = &'static str;

    fn try_from(url: String) -> Result<Self, &'static str> {
        let rest = url.strip_prefix("http://");
        let rest = rest.ok_or("is no `http` URL; cells speak plain HTTP to the router")?;
        let rest = rest.strip_suffix('/').unwrap_or(rest).to_ascii_lowercase();
        let no_host = "is no URL of a host, with or without a port, and of nothing else";
        let authority = host_and_port(rest.as_bytes()).ok_or(no_host)?;
        let (host, port) = (authority.host(), authority.port_u16().unwrap_or(80));
        let authority = HeaderValue::try_from(format!("{host}:{port}")).map_err(|_| no_host)?;
        let host = host.trim_start_matches('[').trim_end_matches(']').to_owned();
        Ok(Self { host, port, authority })
    }
}
