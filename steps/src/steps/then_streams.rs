//! Then steps about streamed bodies, and about connections that stay open.

use cucumber::then;

use super::meaning::Meaning;
use super::parameters::{Cell, Number, Person, Status};
use crate::judge;

#[then(expr = "the first bytes reached {person} before the cell sent the rest")]
fn first_bytes_reached_before_cell_sent_rest(step: &mut Meaning, person: Person) {
    step.check(move |trace| judge::first_bytes_before_rest(trace, &person.0));
}

#[then(expr = "the cells had sent at most {number} bytes while {person} read nothing")]
fn cells_sent_most_bytes_while_read_nothing(step: &mut Meaning, bytes: Number, person: Person) {
    step.check(move |trace| judge::sent_at_most(trace, &person.0, bytes.0));
}

#[then(expr = "the router took at most {number} bytes while the cell read nothing")]
fn router_took_most_bytes_while_cell_read_nothing(step: &mut Meaning, bytes: Number) {
    step.check(move |trace| judge::took_at_most(trace, bytes.0));
}

#[then(expr = "{person} was connected to {cell}")]
fn was_connected_to(step: &mut Meaning, person: Person, cell: Cell) {
    step.check(move |trace| judge::was_connected_to(trace, &person.0, &cell.0));
}

#[then(expr = "{person} received the message {string}")]
fn received_the_message(step: &mut Meaning, person: Person, message: String) {
    step.check(move |trace| judge::received_message(trace, &person.0, &message));
}

#[then(expr = "{person} got the interim response {status}")]
fn got_the_interim_response(step: &mut Meaning, person: Person, interim: Status) {
    step.check(move |trace| judge::got_before_response(trace, &person.0, interim.0));
}

#[then(expr = "{person} got no interim response")]
fn got_no_interim_response(step: &mut Meaning, person: Person) {
    step.check(move |trace| judge::got_nothing_before_response(trace, &person.0));
}
