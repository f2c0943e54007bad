//! Starts the fleet of a scenario.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use cell_fleet::inside::Parts;
use cell_fleet::{CellId, Fleet, FleetPlan, Listen, StartError};

use super::error::StageError;
use super::lease;
use super::running::RunningRouters;
use crate::plan::{RouterSettings, ScenarioPlan};

/// Where a fleet listens, and where routers reach it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FleetPlace {
    /// The address on which all cells listen. Without one it is the scenario's own loopback
    /// address, or the one that the topology file of running routers names.
    pub bind: Option<Ipv4Addr>,
    /// The host under which routers reach all cells. Without one it is the address on which they
    /// listen, or the one that the topology file of running routers names.
    pub advertise: Option<String>,
}

/// How many addresses are tried before the suite gives up.
const ADDRESSES_TRIED: usize = 64;

/// Starts a fleet at the addresses that running routers know.
pub(super) async fn fleet_for(
    running: &RunningRouters,
    plan: &ScenarioPlan,
    place: &FleetPlace,
    parts: Arc<dyn Parts>,
) -> Result<(Fleet, Ipv4Addr), StageError> {
    let fits = running.knows(&plan.fleet.topology)
        && plan.fleet.ids.is_empty()
        && running.protocol == plan.fleet.protocol
        && plan.settings == RouterSettings::default();
    if !fits && running.reset.is_none() {
        return Err(StageError::NotAsked(
            "running router: the scenario needs another topology or other limits than it has; \
             `reset` of the router file can set them"
                .to_owned(),
        ));
    }
    let topology = &plan.fleet.topology;
    let known = running.authorities(topology).map_err(StageError::Unfit)?;
    let addresses = running.addresses(topology, place.bind).map_err(StageError::Unfit)?;
    let hosts = known.into_iter().map(|cell| place.advertise.clone().unwrap_or(cell.host));
    let fleet = FleetPlan {
        advertised: topology.cells.iter().cloned().zip(hosts).collect(),
        ..plan.fleet.clone()
    };
    let fleet = Fleet::start_with(fleet, Listen::Fixed(addresses), parts).await;
    // The routers of the scenario have their own addresses.
    fleet.map(|fleet| (fleet, Ipv4Addr::UNSPECIFIED)).map_err(|error| {
        StageError::Unfit(format!(
            "the fleet cannot listen where the topology file says: {error}; `bind` of the \
             router file names an address of this machine"
        ))
    })
}

/// Starts a fleet on its own address, or on the one that somebody chose. Returns the address
/// of the routers too.
pub(super) async fn start_fleet(
    plan: &ScenarioPlan,
    place: &FleetPlace,
    parts: Arc<dyn Parts>,
) -> Result<(Fleet, Ipv4Addr), StageError> {
    let cells = &plan.fleet.topology.cells;
    let host = |cell: &CellId| Some((cell.clone(), place.advertise.clone()?));
    let advertised = cells.iter().filter_map(host).collect();
    let fleet = FleetPlan { advertised, ..plan.fleet.clone() };
    let mut last = None;
    for _ in 0..ADDRESSES_TRIED {
        let address = lease::take_address().await.map_err(|error| {
            StageError::Suite(format!("no loopback address is available: {error}"))
        })?;
        // On an address that others share, the system chooses the ports.
        let listen = match place.bind {
            Some(bind) => Listen::Fixed(vec![SocketAddr::from((bind, 0)); cells.len()]),
            None => Listen::At { ip: address, first_port: lease::FIRST_CELL_PORT },
        };
        match Fleet::start_with(fleet.clone(), listen, parts.clone()).await {
            Ok(fleet) => return Ok((fleet, address)),
            Err(StartError::AddressInUse { address, .. }) => last = Some(address),
            Err(error @ StartError::Bind { .. }) if place.bind.is_some() => {
                return Err(StageError::Unfit(format!(
                    "{error}; `bind` of the router file takes an address of this machine"
                )));
            }
            Err(error) => return Err(StageError::Suite(error.to_string())),
        }
    }
    let last = last.map(|address| address.to_string()).unwrap_or_default();
    Err(StageError::Suite(format!(
        "{ADDRESSES_TRIED} addresses in a row are in use, the last was {last}"
    )))
}
