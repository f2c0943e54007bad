//! Given steps about people.

use cucumber::given;

use super::parameters::{Person, RegionName};
use crate::plan::{Cookie, Visit};
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

#[given(expr = "{person} has the cookie {string} with the value {string}")]
fn has_cookie(world: &mut World, person: Person, name: String, value: String) {
    world.plan().cookies.push(Cookie { person: person.0, name, value });
}
