//! Given steps about settings of the whole fleet: distances, lag, options.

use std::time::Duration;

use cell_fleet::ReplicationLag;
use cucumber::given;

use super::meaning::Meaning;
use super::parameters::{Number, OfRegion, Person};
use crate::plan::Device;

#[given(expr = "a write from another region takes {number} ms to reach the primary")]
fn write_from_another_region_takes_ms_reach_primary(step: &mut Meaning, distance: Number) {
    step.condition(move |plan| plan.fleet.write_distance = Duration::from_millis(distance.0));
}

#[given(expr = "the replicas{of_region} lag until they are released")]
fn replicas_lag_until_they_are_released(step: &mut Meaning, of_region: OfRegion) {
    step.condition(move |plan| {
        plan.fleet.lag = ReplicationLag::UntilReleased;
        plan.fleet.lagging = of_region.0;
    });
}

#[given(expr = "older APIs are closed to members of an organization")]
fn older_apis_are_closed_members_organization(step: &mut Meaning) {
    step.condition(move |plan| plan.fleet.older_apis_closed = true);
}

#[given(expr = "{person} is signed in as {person}")]
fn is_signed_in_as(step: &mut Meaning, person: Person, user: Person) {
    step.condition(move |plan| plan.devices.push(Device { person: person.0, user: user.0 }));
}
