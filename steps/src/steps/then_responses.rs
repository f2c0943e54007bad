//! Then steps about what users got.

use cucumber::gherkin::Step;
use cucumber::then;

use super::doc_string;
use super::parameters::{Cell, Number, Person};
use crate::judge;
use crate::people::field_lines;
use crate::world::World;

#[then(expr = "{person} sees the page {string}")]
fn sees_page(world: &mut World, person: Person, headline: String) {
    world.prove(judge::sees_page(world.trace(), &person.0, &headline));
}

#[then(expr = "{person} sees the notice {string}")]
fn is_told(world: &mut World, person: Person, text: String) {
    world.prove(judge::is_told(world.trace(), &person.0, &text));
}

#[then(expr = "{person} sees the text {string}")]
fn sees_text(world: &mut World, person: Person, text: String) {
    world.prove(judge::shows(world.trace(), &person.0, &text, true));
}

#[then(expr = "{person} does not see the text {string}")]
fn does_not_see_text(world: &mut World, person: Person, text: String) {
    world.prove(judge::shows(world.trace(), &person.0, &text, false));
}

#[then(expr = "{person} gets status {number}")]
fn gets_status(world: &mut World, person: Person, status: Number) {
    world.prove(judge::gets_status(world.trace(), &person.0, status.0));
}

#[then(expr = "{person} is redirected to {string}")]
fn is_sent_to(world: &mut World, person: Person, target: String) {
    world.prove(judge::is_sent_to(world.trace(), &person.0, &target));
}

#[then(expr = "{person} gets the response of {cell}")]
fn gets_what_cell_responded(world: &mut World, person: Person, cell: Cell) {
    world.prove(judge::gets_what_cell_responded(world.trace(), &person.0, &cell.0));
}

#[then(expr = "every response has the status {number}")]
fn every_status(world: &mut World, status: Number) {
    world.prove(judge::every_status(world.trace(), status.0));
}

#[then("every user got a cell's response unchanged")]
fn every_response_passed_on(world: &mut World) {
    world.prove(judge::every_response_passed_on(world.trace()));
}

#[then(expr = "no response to a user carries the field {string}")]
fn no_response_carries(world: &mut World, field: String) {
    world.prove(judge::no_response_carries(world.trace(), None, &field));
}

#[then(expr = "the response to {person} carries no field {string}")]
fn response_carries_no(world: &mut World, person: Person, field: String) {
    world.prove(judge::no_response_carries(world.trace(), Some(&person.0), &field));
}

#[then(expr = "the response to {person} has no {string} in the field {string}")]
fn has_not_in_field(world: &mut World, person: Person, text: String, field: String) {
    world.prove(judge::has_not_in_field(world.trace(), &person.0, &text, &field));
}

#[then(expr = "the response to {person} carries the fields:")]
fn carries(world: &mut World, person: Person, step: &Step) {
    match doc_string(step).and_then(|text| field_lines(text).map_err(|error| error.to_string())) {
        Ok(expected) => world.prove(judge::carries(world.trace(), &person.0, &expected)),
        Err(why) => world.refuse(why),
    }
}

#[then("the router refused the request")]
fn refused(world: &mut World) {
    world.prove(judge::refused(world.trace()));
}

#[then("the refusal names no cell")]
fn refusal_names_no_cell(world: &mut World) {
    world.prove(judge::names_no_cell(world.trace()));
}

#[then("no page outside the Admin Area names a cell")]
fn no_page_names_a_cell(world: &mut World) {
    world.prove(judge::no_page_names_a_cell(world.trace()));
}

#[then("the last two responses were indistinguishable")]
fn last_two_alike(world: &mut World) {
    world.prove(judge::last_two_alike(world.trace()));
}
