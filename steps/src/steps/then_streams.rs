//! Then steps about bodies while they flow, and about connections that stay open.

use cucumber::then;

use super::parameters::{Cell, Number, Person, Status};
use crate::judge;
use crate::world::World;

#[then(expr = "the first bytes reached {person} before the cell sent the rest")]
fn first_bytes_before_rest(world: &mut World, person: Person) {
    world.prove(judge::first_bytes_before_rest(world.trace(), &person.0));
}

#[then(expr = "the cells had sent at most {number} bytes while {person} read nothing")]
fn sent_at_most(world: &mut World, bytes: Number, person: Person) {
    world.prove(judge::sent_at_most(world.trace(), &person.0, bytes.0));
}

#[then(expr = "the router took at most {number} bytes while the cell read nothing")]
fn took_at_most(world: &mut World, bytes: Number) {
    world.prove(judge::took_at_most(world.trace(), bytes.0));
}

#[then(expr = "{person} was connected to {cell}")]
fn was_connected_to(world: &mut World, person: Person, cell: Cell) {
    world.prove(judge::was_connected_to(world.trace(), &person.0, &cell.0));
}

#[then(expr = "{person} received the message {string}")]
fn heard(world: &mut World, person: Person, message: String) {
    world.prove(judge::heard(world.trace(), &person.0, &message));
}

#[then(expr = "the response to {person} is not chunked")]
fn no_chunked_coding(world: &mut World, person: Person) {
    world.prove(judge::no_chunked_coding(world.trace(), &person.0));
}

#[then(expr = "{person} got the interim response {status}")]
fn got_before_response(world: &mut World, person: Person, interim: Status) {
    world.prove(judge::got_before_response(world.trace(), &person.0, interim.0));
}

#[then(expr = "{person} got no interim response")]
fn got_nothing_before_response(world: &mut World, person: Person) {
    world.prove(judge::got_nothing_before_response(world.trace(), &person.0));
}

#[then(expr = "the first bytes of the response reached {person}")]
fn first_bytes_came(world: &mut World, person: Person) {
    world.prove(judge::first_bytes_came(world.trace(), &person.0));
}
