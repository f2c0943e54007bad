//! Then steps about responses that could be late, truncated, made up, or given to a retry.

use cucumber::then;

use super::meaning::Meaning;
use super::parameters::{Cell, Number, Person, Statuses};
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
