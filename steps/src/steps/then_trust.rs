//! Then steps about bytes that are meant to deceive, and about what may not be given away.

use cucumber::then;

use super::parameters::Person;
use crate::judge;
use crate::world::World;

#[then("the router refused the raw request")]
fn refused_the_bytes(world: &mut World) {
    world.prove(judge::refused_the_bytes(world.trace()));
}

#[then("no part of the raw request reached a cell")]
fn nothing_of_the_bytes_arrived(world: &mut World) {
    world.prove(judge::nothing_of_the_bytes_arrived(world.trace()));
}

#[then("the user got a response to every request that reached a cell")]
fn every_arrival_was_responded(world: &mut World) {
    world.prove(judge::every_arrival_was_responded(world.trace()));
}

#[then(expr = "no cell received a request for {string}")]
fn no_cell_received(world: &mut World, path: String) {
    world.prove(judge::no_cell_received(world.trace(), &path));
}

#[then(expr = "no cell received {string} in the field {string}")]
fn no_cell_received_in_field(world: &mut World, value: String, field: String) {
    world.prove(judge::no_cell_received_in_field(world.trace(), &value, &field));
}

#[then(expr = "{person} is not redirected to the host {string}")]
fn is_not_sent_to_host(world: &mut World, person: Person, host: String) {
    world.prove(judge::is_not_sent_to_host(world.trace(), &person.0, &host));
}

#[then(expr = "every request carried the same field {string} to the cells")]
fn told_the_same(world: &mut World, field: String) {
    world.prove(judge::told_the_same(world.trace(), &field));
}

#[then(
    expr = "a cell received the field {string} as {string}, or the router refused the raw request"
)]
fn came_unfolded_or_refused(world: &mut World, field: String, value: String) {
    world.prove(judge::came_unfolded_or_refused(world.trace(), &field, &value));
}

#[then(expr = "the response to {person} names no cell's address")]
fn names_no_address(world: &mut World, person: Person) {
    world.prove(judge::names_no_address(world.trace(), &person.0));
}

#[then("the router's cookies are HttpOnly, Secure and SameSite=Lax")]
fn router_cookies_are_guarded(world: &mut World) {
    world.prove(judge::router_cookies_are_guarded(world.trace()));
}

#[then("the router's cookies name no cell")]
fn router_cookies_name_no_cell(world: &mut World) {
    world.prove(judge::router_cookies_name_no_cell(world.trace()));
}
