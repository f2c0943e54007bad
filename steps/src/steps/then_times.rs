//! Then steps about the time that a router adds to what its cells take.

use cucumber::then;

use super::parameters::{Number, Person};
use crate::judge;
use crate::world::World;

#[then(expr = "the router added at most {number} ms to the fastest of {person}'s requests")]
fn best_adds_at_most(world: &mut World, limit: Number, person: Person) {
    world.prove(judge::best_adds_at_most(world.trace(), &person.0, limit.0));
}

#[then(expr = "at least {number} of {person}'s 404 responses were delayed by {number} ms or more")]
fn not_found_held_back(world: &mut World, count: Number, person: Person, least: Number) {
    world.prove(judge::not_found_held_back(world.trace(), &person.0, count.size(), least.0));
}
