//! The plan of a scenario, which its Given steps fill before anything starts.

use std::collections::BTreeSet;

use cell_fleet::{CellId, FleetPlan, Protocol, Region};

/// The state of the stage at the first When step.
#[derive(Clone, Debug)]
pub struct ScenarioPlan {
    pub fleet: FleetPlan,
    /// Regions with a router. The first is the default: people use it unless a step says otherwise.
    pub routers: Vec<Region>,
    pub settings: RouterSettings,
    pub signed_in: BTreeSet<String>,
    /// Second devices: further sessions, of any account.
    pub devices: Vec<Device>,
    /// Visits before the exchange, in order.
    pub visits: Vec<Visit>,
}

/// A session that a person has for an account, as on a second device.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Device {
    pub person: String,
    /// The person whose account it is.
    pub user: String,
}

/// A visit before the exchange.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Visit {
    pub person: String,
    /// The region of the router; the default router if None.
    pub region: Option<Region>,
    pub target: String,
}

/// The router configuration of a scenario.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RouterSettings {
    /// Time to live of a cache entry, in milliseconds.
    pub ttl_ms: u64,
    /// Most cache entries; an order of magnitude.
    pub max_entries: u64,
    /// How many times one request may be sent to cells.
    pub max_hops: u32,
    /// Largest body that is buffered, in bytes.
    pub max_buffered_body_bytes: u64,
    /// Timeout of a connection to a cell, in milliseconds.
    pub connect_timeout_ms: u64,
    /// Timeout from the last byte of a request to the first of its response, in milliseconds.
    pub response_timeout_ms: u64,
    pub learn_path: String,
    /// Whether the second-level cache in the user's cookies is switched on (CA-15).
    pub cookie_cache: bool,
    /// The longest random delay of responses with 404, in milliseconds; 0 for none (PR-05).
    pub not_found_delay_ms: u64,
    /// Whether the file and each object in it have members that no router knows (Z-40).
    pub has_unknown_members: bool,
}

impl Default for RouterSettings {
    fn default() -> Self {
        Self {
            ttl_ms: 60_000,
            max_entries: 100_000,
            max_hops: 4,
            max_buffered_body_bytes: 10_485_760,
            connect_timeout_ms: 1_000,
            response_timeout_ms: 5_000,
            learn_path: cell_fleet::wire::LEARN_PATH.to_owned(),
            cookie_cache: false,
            not_found_delay_ms: 0,
            has_unknown_members: false,
        }
    }
}

impl ScenarioPlan {
    /// The documents' cells and people, and no router.
    pub fn documents(protocol: Protocol) -> Self {
        Self {
            fleet: FleetPlan::documents(protocol),
            routers: Vec::new(),
            settings: RouterSettings::default(),
            signed_in: BTreeSet::new(),
            devices: Vec::new(),
            visits: Vec::new(),
        }
    }

    pub fn default_router(&self) -> Option<&Region> {
        self.routers.first()
    }

    /// Who has a session when the exchange begins, with the account of the session.
    pub fn sessions(&self) -> Vec<(String, String)> {
        let own = self.signed_in.iter().map(|person| (person.clone(), person.clone()));
        let devices =
            self.devices.iter().map(|device| (device.person.clone(), device.user.clone()));
        own.chain(devices).collect()
    }

    /// The cells among which roles can be permuted: a region's, without the latest cell, which is
    /// `cell_0` and so never plays another.
    pub fn company(&self, region: &Region) -> Vec<CellId> {
        let topology = &self.fleet.topology;
        topology
            .cells
            .iter()
            .filter(|cell| cell.region() == region && **cell != topology.latest)
            .cloned()
            .collect()
    }
}
