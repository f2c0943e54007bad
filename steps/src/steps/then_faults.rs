//! Then steps about responses that could be late, truncated, made up, streamed, or given to a retry.

use cucumber::then;

use super::meaning::Meaning;
use super::parameters::{Cell, Number, Person, Status, Statuses};
use crate::judge;

#[then(expr = "the response to {person} took at most {number} ms")]
fn the_response_to_took_at_most_ms(step: &mut Meaning, person: Person, limit: Number) {
    step.check(move |trace| judge::had_response_within(trace, &person.0, limit.0));
}

#[then(expr = "the response to {person} took at least {number} ms")]
fn the_response_to_took_at_least_ms(step: &mut Meaning, person: Person, least: Number) {
    step.check(move |trace| judge::had_response_after(trace, &person.0, least.0));
}

#[then(expr = "no user sees a truncated response as complete")]
fn no_user_sees_truncated_response_as_complete(step: &mut Meaning) {
    step.check(judge::every_response_whole_or_none);
}

#[then(expr = "{person} gets a cell's response, or a refusal")]
fn gets_a_cell_response_or_a_refusal(step: &mut Meaning, person: Person) {
    step.check(move |trace| judge::gets_cells_response_or_refusal(trace, &person.0));
}

#[then(expr = "{person} gets the response of {cell}, or the request ends at the cell")]
fn gets_response_or_request_ends_cell(step: &mut Meaning, person: Person, cell: Cell) {
    step.check(move |trace| judge::gets_response_or_request_ends(trace, &person.0, &cell.0));
}

#[then(expr = "{person} gets one of the statuses {statuses}")]
fn gets_one_of_the_statuses(step: &mut Meaning, person: Person, statuses: Statuses) {
    step.check(move |trace| judge::gets_one_of(trace, &person.0, &statuses.0));
}

#[then(expr = "the responses came in the order of the requests")]
fn responses_came_order_requests(step: &mut Meaning) {
    step.check(judge::responses_in_order);
}

#[then(expr = "each user on the connection got the response to their own request")]
fn user_connection_got_response_their_own_request(step: &mut Meaning) {
    step.check(judge::each_has_its_response);
}

#[then(expr = "the router retried no request")]
fn the_router_retried_no_request(step: &mut Meaning) {
    step.check(judge::nothing_sent_again);
}

#[then(expr = "the router added at most {number} ms to the fastest of {person}'s requests")]
fn router_added_most_ms_fastest_requests(step: &mut Meaning, limit: Number, person: Person) {
    step.check(move |trace| judge::best_adds_at_most(trace, &person.0, limit.0));
}

#[then(expr = "at least {number} of {person}'s 404 responses were delayed by {number} ms or more")]
fn not_found_held_back(step: &mut Meaning, count: Number, person: Person, least: Number) {
    step.check(move |trace| judge::not_found_held_back(trace, &person.0, count.size(), least.0));
}

#[then(expr = "none of {person}'s 404 responses was delayed by {number} ms or more")]
fn not_found_comes_before(step: &mut Meaning, person: Person, limit: Number) {
    step.check(move |trace| judge::not_found_comes_before(trace, &person.0, limit.0));
}

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
