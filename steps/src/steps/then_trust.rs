//! Then steps about malicious bytes, and about what a router must not reveal.

use cucumber::then;

use super::meaning::{Arrivals, Meaning};
use super::parameters::Person;
use crate::judge;

#[then(expr = "the router refused the raw request")]
fn the_router_refused_the_raw_request(step: &mut Meaning) {
    step.check(judge::refused_the_bytes);
}

#[then(expr = "the router refused the raw request, or gave up on it")]
fn router_refused_raw_request_or_gave_up_it(step: &mut Meaning) {
    step.check(judge::refused_or_gave_up_the_bytes);
}

#[then(expr = "the raw request opened no tunnel")]
fn the_raw_request_opened_no_tunnel(step: &mut Meaning) {
    step.check(judge::opened_no_tunnel);
}

#[then(expr = "nothing that followed the raw request got a 2xx")]
fn nothing_followed_raw_request_got_2xx(step: &mut Meaning) {
    step.check(|trace| Arrivals(judge::nothing_that_followed_succeeded(trace)));
}

#[then(expr = "no part of the raw request reached a cell")]
fn no_part_raw_request_reached_cell(step: &mut Meaning) {
    step.check(|trace| Arrivals(judge::nothing_of_the_bytes_arrived(trace)));
}

#[then(expr = "the user got a response to every request that reached a cell")]
fn user_got_response_every_request_reached_cell(step: &mut Meaning) {
    step.check(judge::every_arrival_was_responded);
}

#[then(expr = "no cell received a request for {string}")]
fn no_cell_received_a_request_for(step: &mut Meaning, path: String) {
    step.check(move |trace| Arrivals(judge::no_cell_received(trace, &path)));
}

#[then(expr = "no cell received {string} in the field {string}")]
fn no_cell_received_in_the_field(step: &mut Meaning, value: String, field: String) {
    step.check(move |trace| judge::no_cell_received_in_field(trace, &value, &field));
}

#[then(expr = "no cell received a NUL")]
fn no_cell_received_a_nul(step: &mut Meaning) {
    step.check(|trace| Arrivals(judge::no_nul_arrived(trace)));
}

#[then(expr = "no copy of the request kept the length beside its chunks")]
fn no_copy_request_kept_length_beside_chunks(step: &mut Meaning) {
    step.check(|trace| Arrivals(judge::copies_drop_the_length(trace)));
}

#[then(expr = "no cell received an unknown expectation")]
fn no_cell_received_unknown_expectation(step: &mut Meaning) {
    step.check(|trace| Arrivals(judge::no_unknown_expectation_arrived(trace)));
}

#[then(expr = "no 1xx or 204 to a user has a length")]
fn no_1xx_or_204_user_has_length(step: &mut Meaning) {
    step.check(|trace| Arrivals(judge::no_length_without_content(trace)));
}

#[then(expr = "each copy of the request had a smaller number in the field {string}")]
fn copy_request_smaller_number_field(step: &mut Meaning, field: String) {
    step.check(move |trace| judge::copies_have_smaller_number(trace, &field));
}

#[then(expr = "every request carried the same field {string} to the cells")]
fn every_request_carried_same_field_cells(step: &mut Meaning, field: String) {
    step.check(move |trace| judge::carried_same_field(trace, &field));
}

#[then(expr = "no cell received the host {string} with the request for {string}")]
fn no_cell_received_host_request_for(step: &mut Meaning, host: String, path: String) {
    step.check(move |trace| Arrivals(judge::no_cell_received_host(trace, &host, &path)));
}

#[then(expr = "each request had {string} in the field {string}")]
fn each_request_had_in_the_field(step: &mut Meaning, value: String, field: String) {
    step.check(move |trace| judge::each_request_had_in_field(trace, &value, &field));
}

#[then(expr = "a cell received the field {string} as {string}, or the router refused \
             the raw request")]
fn cell_received_field_as_or_router_refused_raw(step: &mut Meaning, field: String, value: String) {
    step.check(move |trace| judge::came_unfolded_or_refused(trace, &field, &value));
}

#[then(expr = "the response to {person} names no cell's address")]
fn the_response_to_names_no_cell_address(step: &mut Meaning, person: Person) {
    step.check(move |trace| judge::names_no_address(trace, &person.0));
}

#[then(expr = "the router's cookies are HttpOnly, Secure and SameSite=Lax")]
fn router_cookies_are_httponly_secure_and_samesite_lax(step: &mut Meaning) {
    step.check(judge::router_cookies_are_guarded);
}

#[then(expr = "the router's cookies name no cell")]
fn the_router_cookies_name_no_cell(step: &mut Meaning) {
    step.check(judge::router_cookies_name_no_cell);
}
