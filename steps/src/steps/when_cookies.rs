//! When steps in which a person's cookies are not what they were.

use super::definition::{Definition, when};
use super::parameters::Person;
use crate::world::World;

/// The definitions.
pub(super) fn definitions() -> Vec<Definition> {
    vec![
        when("{person} forges the router's cookies as {string}", forges),
        when("{person} takes over the router's cookies of {person}", takes_over),
    ]
}

async fn forges(world: &mut World, person: Person, value: String) {
    let stage = world.stage();
    let of_cells = stage.cookies_of_cells();
    stage.people_mut().forge_cookies(&person.0, &of_cells, &value);
}

async fn takes_over(world: &mut World, person: Person, from: Person) {
    let stage = world.stage();
    let of_cells = stage.cookies_of_cells();
    stage.people_mut().take_over_cookies(&person.0, &from.0, &of_cells);
}
