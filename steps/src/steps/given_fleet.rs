//! Given steps about what the whole fleet is told: distances, lag, options.

use std::time::Duration;

use cell_fleet::ReplicationLag;
use cucumber::given;

use super::parameters::{Number, Person, RegionName};
use crate::plan::Device;
use crate::world::World;

#[given(expr = "a write from another region takes {number} ms to reach the primary")]
fn write_distance(world: &mut World, distance: Number) {
    world.plan().fleet.write_distance = Duration::from_millis(distance.0);
}

#[given(expr = "the replicas of the {region} region lag until they are released")]
fn held_replicas_of(world: &mut World, region: RegionName) {
    let plan = world.plan();
    plan.fleet.lag = ReplicationLag::UntilReleased;
    plan.fleet.lagging = Some(region.0);
}

#[given("older APIs are closed to members of an organization")]
fn older_apis_closed(world: &mut World) {
    world.plan().fleet.older_apis_closed = true;
}

#[given(expr = "{person} is signed in as {person}")]
fn signed_in_as(world: &mut World, person: Person, user: Person) {
    world.plan().devices.push(Device { person: person.0, user: user.0 });
}
