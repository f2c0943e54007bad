//! The plan of a scenario, which its Given steps fill before anything starts.

use std::collections::BTreeSet;

use cell_fleet::{CellId, FleetPlan, Protocol, Region};

use crate::stage::RouterSettings;

/// The state of the stage at the first When step.
#[derive(Clone, Debug)]
pub struct ScenarioPlan {
    /// The fleet.
    pub fleet: FleetPlan,
    /// Regions with a router. The first is the default: people use it unless a step says otherwise.
    pub routers: Vec<Region>,
    /// The routers' settings.
    pub settings: RouterSettings,
    /// People with a session.
    pub signed_in: BTreeSet<String>,
    /// Second devices: further sessions, of any account.
    pub devices: Vec<Device>,
    /// Visits before the exchange, in order.
    pub visits: Vec<Visit>,
}

/// A session that a person has for an account, as on a second device.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Device {
    /// The person who has it.
    pub person: String,
    /// The person whose account it is.
    pub user: String,
}

/// A visit before the exchange.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Visit {
    /// The visitor.
    pub person: String,
    /// The region of the router; the default router if None.
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

    /// The region of the default router.
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
