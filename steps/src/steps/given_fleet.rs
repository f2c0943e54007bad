//! Given steps about settings of the whole fleet: distances, lag, options.

use std::time::Duration;

use cell_fleet::ReplicationLag;

use super::definition::{Definition, given};
use super::parameters::{Number, Person, RegionName};
use crate::plan::{Device, ScenarioPlan};

/// The definitions.
pub(super) fn definitions() -> Vec<Definition> {
    vec![
        given(
            "a write from another region is under way to the primary for {number} ms",
            |plan: &mut ScenarioPlan, distance: Number| {
                plan.fleet.write_distance = Duration::from_millis(distance.0);
            },
        ),
        given(
            "the replicas of the {region} region lag until they are released",
            |plan: &mut ScenarioPlan, region: RegionName| {
                plan.fleet.lag = ReplicationLag::UntilReleased;
                plan.fleet.lagging = Some(region.0);
            },
        ),
        given("older APIs are closed to members of an organization", |plan: &mut ScenarioPlan| {
            plan.fleet.older_apis_closed = true;
        }),
        given(
            "{person} is signed in as {person}",
            |plan: &mut ScenarioPlan, person: Person, user: Person| {
                plan.devices.push(Device { person: person.0, user: user.0 });
            },
        ),
    ]
}
