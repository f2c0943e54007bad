//! Given steps about people.

use cucumber::given;

use super::parameters::{Person, RegionName};
use crate::plan::Visit;
use crate::world::World;

#[given(expr = "{person} is signed in")]
fn signed_in(world: &mut World, person: Person) {
    world.plan().signed_in.insert(person.0);
}

#[given(expr = "{person} visited {string}")]
fn visited(world: &mut World, person: Person, target: String) {
    world.plan().visits.push(Visit { person: person.0, region: None, target });
}

#[given(expr = "{person} visited {string} through the {region} router")]
fn visited_through(world: &mut World, person: Person, target: String, region: RegionName) {
    world.plan().visits.push(Visit { person: person.0, region: Some(region.0), target });
}
