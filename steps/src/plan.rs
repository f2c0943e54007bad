//! The plan of a scenario: what its Given steps say. Nothing has happened while it is filled.

use std::collections::BTreeSet;

use cell_fleet::{CellId, FleetPlan, Protocol, Region};

use crate::stage::RouterSettings;

/// What is to be on stage when the first When step begins.
#[derive(Clone, Debug)]
pub struct ScenarioPlan {
    /// The fleet.
    pub fleet: FleetPlan,
    /// Regions that have a router; the first is the one that people reach unless a step says
    /// otherwise.
    pub routers: Vec<Region>,
    /// What the routers are told.
    pub settings: RouterSettings,
    /// People with a session.
    pub signed_in: BTreeSet<String>,
    /// People who have a session of somebody else, as on a second device of theirs.
    pub devices: Vec<Device>,
    /// Visits before the exchange, in order.
    pub visits: Vec<Visit>,
}

/// A session of its own that one person has for the account of another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Device {
    /// Who has it.
    pub person: String,
    /// Whose account it is.
    pub user: String,
}

/// A visit before the exchange.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Visit {
    /// Who.
    pub person: String,
    /// Through which router; the default one where nothing is said.
    pub region: Option<Region>,
    /// The request target.
    pub target: String,
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

    /// The router that people reach unless a step says otherwise.
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
