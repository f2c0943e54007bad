//! Where a scenario's fleet stands.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use cell_fleet::{Fleet, Listen, StartError};

use super::StageFault;
use super::lease;
use super::running::RunningRouters;
use super::topology_file::RouterSettings;
use crate::plan::ScenarioPlan;

/// Addresses that somebody else holds are passed over, but not for ever.
const ADDRESSES_TRIED: usize = 64;

/// A fleet where the routers that run already know it.
pub(super) async fn fleet_for(
    running: &RunningRouters,
    plan: &ScenarioPlan,
) -> Result<(Fleet, Ipv4Addr), StageFault> {
    let fits = running.knows(&plan.fleet.topology)
        && plan.fleet.ids.is_empty()
        && running.protocol == plan.fleet.protocol
        && plan.settings == RouterSettings::default();
    if !fits && running.reset.is_none() {
        return Err(StageFault::Unfit(
            "it needs another topology or other limits than the running routers have; `--reset COMMAND` can give them".to_owned(),
        ));
    }
    let addresses = running.addresses(&plan.fleet.topology).map_err(StageFault::Unfit)?;
    let address = match addresses.first().map(SocketAddr::ip) {
        Some(IpAddr::V4(address)) => address,
        _ => {
            return Err(StageFault::Unfit(
                "the topology file's cells need IPv4 addresses".to_owned(),
            ));
        }
    };
    let fleet = Fleet::start(plan.fleet.clone(), Listen::Fixed(addresses)).await;
    fleet.map(|fleet| (fleet, address)).map_err(|error| {
        StageFault::Unfit(format!("the fleet cannot stand where the topology file says: {error}"))
    })
}

/// A fleet on an address of its own.
pub(super) async fn start_fleet(plan: &ScenarioPlan) -> Result<(Fleet, Ipv4Addr), StageFault> {
    let mut last = None;
    for _ in 0..ADDRESSES_TRIED {
        let address = lease::next_address().map_err(|error| {
            StageFault::Suite(format!("no loopback address could be taken: {error}"))
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
                return Err(StageFault::Suite(format!("the fleet did not start: {error}")));
            }
        }
    }
    let last = last.map(|address| address.to_string()).unwrap_or_default();
    Err(StageFault::Suite(format!(
        "{ADDRESSES_TRIED} addresses in a row are in use, the last was {last}"
    )))
}
