//! Then steps about responses that could come late, in part, from nobody, or to a request sent
//! twice.

use cucumber::then;

use super::parameters::{Number, Person, Statuses};
use crate::judge;
use crate::world::World;

#[then(expr = "the response to {person} took at most {number} ms")]
fn had_response_within(world: &mut World, person: Person, limit: Number) {
    world.prove(judge::had_response_within(world.trace(), &person.0, limit.0));
}

#[then(expr = "{person} never sees a truncated response as complete")]
fn not_given_part_as_whole(world: &mut World, person: Person) {
    world.prove(judge::not_given_part_as_whole(world.trace(), &person.0));
}

#[then("no user sees a truncated response as complete")]
fn every_response_whole_or_none(world: &mut World) {
    world.prove(judge::every_response_whole_or_none(world.trace()));
}

#[then(expr = "every response to {person} is complete")]
fn responses_were_whole(world: &mut World, person: Person) {
    world.prove(judge::responses_were_whole(world.trace(), &person.0));
}

#[then(expr = "{person} gets a cell's response, or a refusal")]
fn gets_cells_response_or_refusal(world: &mut World, person: Person) {
    world.prove(judge::gets_cells_response_or_refusal(world.trace(), &person.0));
}

#[then(expr = "{person} gets one of the statuses {statuses}")]
fn gets_one_of(world: &mut World, person: Person, statuses: Statuses) {
    world.prove(judge::gets_one_of(world.trace(), &person.0, &statuses.0));
}

#[then("the responses came in the order of the requests")]
fn responses_in_order(world: &mut World) {
    world.prove(judge::responses_in_order(world.trace()));
}

#[then("the router retried no request")]
fn nothing_sent_again(world: &mut World) {
    world.prove(judge::nothing_sent_again(world.trace()));
}
