//! When steps in which the world around the users changes: routers, organizations, databases, time.

use cell_fleet::ReplicationLag;

use super::definition::{Definition, when};
use super::needs::Needs;
use super::parameters::{Cell, Number, Person, RegionName};
use crate::people::Request;
use crate::world::World;

/// The definitions.
pub(super) fn definitions() -> Vec<Definition> {
    vec![
        when("{person} begins to visit {string}", begins),
        when("{person} begins to visit {string} as well", begins_as_well),
        when("the held responses are released", held_responses_released),
        when("{number} ms pass", time_passes),
        when("the {region} router stops", router_stops).needs(Needs::PROCESS),
        when("the {region} router restarts", router_restarts).needs(Needs::PROCESS),
        when("the organization {string} moves to {cell}", organization_moves),
        when("the entries' time to live passes", time_to_live_passes),
        when("the replicas are released", replicas_released),
    ]
}

async fn begins(world: &mut World, person: Person, target: String) {
    let Some(seen) = begin(world, &person, target.clone()).await else { return };
    let stage = world.stage();
    stage.arrived(seen, &target).await;
}

/// The request may wait in the router for what an earlier one has begun, so nothing at a cell tells
/// that it is under way: another person's round trip, as the next step, gives it the time.
async fn begins_as_well(world: &mut World, person: Person, target: String) {
    begin(world, &person, target).await;
}

/// Begins a visit; responses with the length of the journal before it.
async fn begin(world: &mut World, person: &Person, target: String) -> Option<usize> {
    let step = world.step();
    let stage = world.stage();
    let seen = stage.fleet().journal().entries().len();
    match stage.gate(None).and_then(|gate| stage.begin(&person.0, gate, step, Request::get(target)))
    {
        Ok(()) => Some(seen),
        Err(why) => {
            world.refuse(why);
            None
        }
    }
}

async fn held_responses_released(world: &mut World) {
    let stage = world.stage();
    stage.release().await;
}

async fn time_passes(_: &mut World, time: Number) {
    // A wait for a clock, as for the time to live below: a scenario states its margins by its
    // numbers.
    tokio::time::sleep(std::time::Duration::from_millis(time.0)).await;
}

async fn router_stops(world: &mut World, region: RegionName) {
    let stage = world.stage();
    stage.stop_router(&region.0).await;
}

async fn router_restarts(world: &mut World, region: RegionName) {
    let stage = world.stage();
    if let Err(fault) = stage.restart_router(&region.0).await {
        world.interrupt(fault.to_string());
    }
}

async fn organization_moves(world: &mut World, organization: String, cell: Cell) {
    let stage = world.stage();
    if let Err(error) = stage.fleet().installation().move_organization(&organization, &cell.0).await
    {
        world.refuse(error.to_string());
    }
}

async fn time_to_live_passes(world: &mut World) {
    let stage = world.stage();
    // A wait for a clock: an entry must have ended by then, with a margin, since the clocks
    // of two processes and a loaded machine are not one. Nothing is judged by its length.
    let life = std::time::Duration::from_millis(stage.plan().settings.ttl_ms);
    tokio::time::sleep(life + stage.waits().ttl_margin).await;
}

async fn replicas_released(world: &mut World) {
    let stage = world.stage();
    let installation = stage.fleet().installation();
    installation.set_replication_lag(ReplicationLag::None);
    for region in stage.plan().fleet.topology.regions() {
        installation.wait_until_replayed(&region, installation.position()).await;
    }
}
