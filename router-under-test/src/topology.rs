//! The topology: what the router is told about itself and the cells. It never changes.

use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;
use std::time::Duration;

use http::{HeaderValue, Uri};

use crate::wire;

/// Names one cell of a [`Topology`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CellIndex(u16);

impl CellIndex {
    /// More cells than this are refused; an index has 16 bits.
    pub const MOST: usize = 1 << 16;

    /// The cell's position in the topology file, from 0.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The cell at a position below [`CellIndex::MOST`].
    pub fn nth(index: usize) -> Self {
        debug_assert!(index < Self::MOST);
        Self(index as u16)
    }
}

/// What the router is told about one cell.
#[derive(Clone, Debug)]
pub struct Cell {
    /// Its id in learn responses: `cell_eu0`.
    pub id: String,
    /// Its name in response headers: `Cell EU0` (BF-10).
    pub name: String,
    /// Where it is.
    pub url: CellUrl,
    /// The region that it is in: `eu`.
    pub region: String,
}

/// Which of the two proposals the router follows.
#[derive(Clone, Debug, PartialEq, Eq)]
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
            Self::Buffering => wire::BUFFERING,
            Self::Learning { .. } => wire::LEARNING,
        }
    }
}

/// The `limits` of the topology file; the contract says what each bounds.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// How often a request is sent to cells, the first time included; at least 1.
    pub max_hops: u64,
    /// Longest body that is kept for sending it again, in bytes, inclusive.
    pub max_buffered_body_bytes: u64,
    /// Timeout of connecting to a cell.
    pub connect_timeout: Duration,
    /// From the last byte of a request to the first of the response.
    pub response_timeout: Duration,
}

/// Everything the topology file says.
#[derive(Clone, Debug)]
pub struct Topology {
    /// Which of the two proposals the router follows.
    pub protocol: Protocol,
    /// The router's own region.
    pub region: String,
    /// The address that users connect to.
    pub listen: SocketAddr,
    /// Lifetime of a learned entry.
    pub ttl: Duration,
    /// How many entries the cache holds at most; at least 1.
    pub max_entries: usize,
    /// What bounds one request.
    pub limits: Limits,
    /// Longest random delay of a cell's 404 (PR-05); zero: no delay.
    pub not_found_delay: Duration,
    /// The cell that runs the latest deployment, where it is named (UN-05).
    pub latest_cell: Option<CellIndex>,
    /// Whether users get a route cookie (CA-15).
    pub cookie_cache: bool,
    /// All cells, in the order of the file.
    pub cells: Vec<Cell>,
    /// The cells of the router's own region; at least one.
    pub own: Vec<CellIndex>,
    /// The cells of all other regions.
    pub others: Vec<CellIndex>,
}

impl Topology {
    /// The cell that an index of this topology stands for.
    pub fn cell(&self, index: CellIndex) -> &Cell {
        &self.cells[index.index()]
    }

    /// All cells, in the order of the file.
    pub fn all(&self) -> impl ExactSizeIterator<Item = CellIndex> + use<> {
        (0..self.cells.len()).map(CellIndex::nth)
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellUrl {
    host: String,
    port: u16,
    authority: HeaderValue,
}

/// Why a text is not the address of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CellUrlError {
    /// It has no scheme, no host, or a port that is no number below 65536.
    #[error("is not an absolute URL")]
    NotUrl,
    /// It has another scheme.
    #[error("is not an `http` URL; cells speak plain HTTP to the router")]
    NotHttp,
    /// It has a user or a password.
    #[error("holds user information")]
    Userinfo,
    /// It names more than a host and a port.
    #[error("holds a path, a query or a fragment")]
    PathOrQuery,
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

    /// The address, where the host is an IP address and need not be looked up.
    pub fn fixed(&self) -> Option<SocketAddr> {
        self.host.parse::<IpAddr>().ok().map(|ip| SocketAddr::new(ip, self.port))
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

impl FromStr for CellUrl {
    type Err = CellUrlError;

    fn from_str(text: &str) -> Result<Self, CellUrlError> {
        let uri: Uri = text.parse().map_err(|_| CellUrlError::NotUrl)?;
        let authority = uri.authority().ok_or(CellUrlError::NotUrl)?;
        if uri.scheme_str() != Some("http") {
            return Err(CellUrlError::NotHttp);
        }
        if authority.as_str().contains('@') {
            return Err(CellUrlError::Userinfo);
        }
        if uri.path() != "/" || uri.query().is_some() || text.contains('#') {
            return Err(CellUrlError::PathOrQuery);
        }
        let host = authority.host().to_ascii_lowercase();
        let port = match authority.port_u16() {
            Some(port) => port,
            None if authority.as_str().len() == host.len() => 80,
            None => return Err(CellUrlError::NotUrl),
        };
        let authority =
            HeaderValue::try_from(format!("{host}:{port}")).map_err(|_| CellUrlError::NotUrl)?;
        let host = host.trim_start_matches('[').trim_end_matches(']').to_owned();
        Ok(Self { host, port, authority })
    }
}
