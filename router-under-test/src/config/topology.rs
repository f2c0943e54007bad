//! The topology: what the router is told about itself and the cells.

use std::net::SocketAddr;
use std::time::Duration;

use super::cell_url::CellUrl;
use super::settings::Settings;

/// More cells than this are refused; an index has 16 bits.
pub(super) const MOST_CELLS: usize = 1 << 16;

/// So many cells may come after the start. The counters of metrics have room for them.
pub(super) const MOST_LATER_CELLS: usize = 1024;

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

/// What the router is told about one cell.
#[derive(Clone, Debug)]
pub(crate) struct CellConfig {
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
    pub(super) known: Vec<CellConfig>,
    /// How many of them there may be.
    pub(super) most_known: usize,
    /// The cells, in the order of the file.
    pub(super) present: Vec<CellIndex>,
    pub(super) own: Vec<CellIndex>,
    pub(super) others: Vec<CellIndex>,
}

impl Topology {
    /// The cell that an index of this topology stands for, or of an earlier one.
    pub(crate) fn cell(&self, index: CellIndex) -> &CellConfig {
        &self.known[index.index()]
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

    fn position(&self, wanted: impl Fn(&CellConfig) -> bool) -> Option<CellIndex> {
        self.cells().find(|index| wanted(self.cell(*index)))
    }
}

impl CellIndex {
    /// The cell's position among those of the topology, from 0.
    pub(crate) fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The cell at a position; parsing has made sure that there are no more than fit.
    pub(crate) fn nth(index: usize) -> Self {
        debug_assert!(index < MOST_CELLS);
        Self(index as u16)
    }

    #[cfg(test)]
    pub(crate) fn at(index: u16) -> Self {
        Self(index)
    }
}
