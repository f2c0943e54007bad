//! When steps in which a person's cookies are not what they were.

use cucumber::when;

use super::parameters::Person;
use crate::world::World;

#[when(expr = "{person} forges the router's cookies as {string}")]
async fn forges(world: &mut World, person: Person, value: String) {
    let Some(stage) = world.stage().await else { return };
    let of_cells = stage.cookies_of_cells();
    stage.people_mut().forge_cookies(&person.0, &of_cells, &value);
}

#[when(expr = "{person} uses the router's cookies of {person}")]
async fn takes_over(world: &mut World, person: Person, from: Person) {
    let Some(stage) = world.stage().await else { return };
    let of_cells = stage.cookies_of_cells();
    stage.people_mut().take_over_cookies(&person.0, &from.0, &of_cells);
}
