//! Larger installations: a formula whose coefficients are counted.

use serde::{Deserialize, Serialize};

use super::figures::Figures;
use super::flow::{FLOWS, UNKNOWN};
use super::record::{FlowRecord, OfCells};
use super::state::{Cache, Owner, State};

/// How large installations are that are always shown: cells in each region.
const SIZES: [u16; 5] = [2, 3, 10, 100, 1_000];

/// What is known of a larger installation.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Size {
    /// A number of cells in each region, in addition to those that are always shown.
    #[serde(skip)]
    pub cells: Option<u16>,
    /// The share of requests whose place the router does not know.
    pub misses: f64,
    /// The share of the other ones whose entry has expired. Only entries of learning do: they are
    /// short-lived, and no text gives those of buffering an end.
    pub expired: f64,
    /// The share of requests that Cons 9 sends to the latest deployment.
    pub unknown: f64,
}

/// What a visit costs in larger installations.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Larger {
    #[serde(flatten)]
    pub size: Size,
    /// In each proposal, with the owner at home and abroad.
    pub ways: Vec<Way>,
}

/// A proposal, and where the owner is.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Way {
    /// `buffering` or `learning`.
    pub protocol: String,
    pub owner: Owner,
    /// A visit whose place the router does not know, and one whose place it knows.
    pub visit: [OfCells; 2],
    /// A visit to a place that only the latest deployment knows: when the router does not know the
    /// place, and when it does.
    pub latest: [OfCells; 2],
    /// For each size, the figures of a mean request.
    pub sizes: Vec<(u16, Figures)>,
}

impl Larger {
    /// Computes them from what was counted.
    pub(super) fn from_flows(flows: &[FlowRecord], protocols: &[&str], size: Size) -> Self {
        let mut sizes: Vec<_> = SIZES.into_iter().chain(size.cells).collect();
        sizes.sort_unstable();
        sizes.dedup();
        let named = |id: &str| flows.iter().find(|flow| flow.id == id);
        let (visit, latest) = (FLOWS.first().and_then(|flow| named(flow.id)), named(UNKNOWN));
        let mut ways = Vec::new();
        for protocol in protocols {
            for owner in [Owner::Home, Owner::Abroad] {
                let both = |flow: Option<&FlowRecord>| {
                    [Cache::Cold, Cache::Warm].map(|cache| {
                        let found = flow?.state(protocol, State { cache, owner })?;
                        Some(found.of_cells)
                    })
                };
                let ([Some(cold), Some(warm)], [Some(cold_latest), Some(warm_latest)]) =
                    (both(visit), both(latest))
                else {
                    continue;
                };
                let way = Way {
                    protocol: (*protocol).to_owned(),
                    owner,
                    visit: [cold, warm],
                    latest: [cold_latest, warm_latest],
                    sizes: Vec::new(),
                };
                let sizes = sizes.iter().map(|cells| (*cells, way.at(*cells, size))).collect();
                ways.push(Way { sizes, ..way });
            }
        }
        Self { size, ways }
    }
}

impl Way {
    /// The figures of a mean request with this many cells in each region.
    pub fn at(&self, cells: u16, size: Size) -> Figures {
        let expired = if self.protocol == "learning" { size.expired } else { 0.0 };
        let asked = size.misses + (1.0 - size.misses) * expired;
        let mean = |[cold, warm]: &[OfCells; 2]| {
            cold.at(cells).times(asked).plus(warm.at(cells).times(1.0 - asked))
        };
        mean(&self.visit).times(1.0 - size.unknown).plus(mean(&self.latest).times(size.unknown))
    }
}
