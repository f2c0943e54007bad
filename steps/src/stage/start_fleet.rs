//! Starts the fleet of a scenario.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use cell_fleet::{Fleet, Listen, StartError};

use super::StageError;
use super::lease;
use super::running::RunningRouters;
use crate::plan::{RouterSettings, ScenarioPlan};

/// How many addresses are tried before the suite gives up.
const ADDRESSES_TRIED: usize = 64;

/// Starts a fleet at the addresses that running routers know.
pub(super) async fn fleet_for(
    running: &RunningRouters,
    plan: &ScenarioPlan,
) -> Result<(Fleet, Ipv4Addr), StageError> {
    let fits = running.knows(&plan.fleet.topology)
        && plan.fleet.ids.is_empty()
        && running.protocol == plan.fleet.protocol
        && plan.settings == RouterSettings::default();
    if !fits && running.reset.is_none() {
        return Err(StageError::Unfit(
            concat!(
                "the scenario needs another topology or other limits than the running routers \
                 have; ",
                "`--reset COMMAND` can set them"
            )
            .to_owned(),
        ));
    }
    let addresses = running.addresses(&plan.fleet.topology).map_err(StageError::Unfit)?;
    let address = match addresses.first().map(SocketAddr::ip) {
        Some(IpAddr::V4(address)) => address,
        _ => {
            return Err(StageError::Unfit(
                "the cells of the topology file need IPv4 addresses".to_owned(),
            ));
        }
    };
    let fleet = Fleet::start(plan.fleet.clone(), Listen::Fixed(addresses)).await;
    fleet.map(|fleet| (fleet, address)).map_err(|error| {
        StageError::Unfit(format!("the fleet cannot listen where the topology file says: {error}"))
    })
}

/// Starts a fleet on an address of its own.
pub(super) async fn start_fleet(plan: &ScenarioPlan) -> Result<(Fleet, Ipv4Addr), StageError> {
    let mut last = None;
    for _ in 0..ADDRESSES_TRIED {
        let address = lease::next_address().map_err(|error| {
            StageError::Suite(format!("no loopback address is available: {error}"))
        })?;
        match Fleet::start(
            plan.fleet.clone(),
            Listen::At { ip: address, first_port: lease::FIRST_CELL_PORT },
        )
        .await
        {
            Ok(fleet) => return Ok((fleet, address)),
            Err(StartError::AddressInUse { address, .. }) => last = Some(address),
            Err(error) => {
                return Err(StageError::Suite(format!("the fleet did not start: {error}")));
            }
        }
    }
    let last = last.map(|address| address.to_string()).unwrap_or_default();
    Err(StageError::Suite(format!(
        "{ADDRESSES_TRIED} addresses in a row are in use, the last was {last}"
    )))
}
