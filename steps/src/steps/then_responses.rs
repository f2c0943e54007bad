//! Then steps about the responses that users received.

use cucumber::then;

use super::doc_strings::FieldLines;
use super::meaning::{CheckResult, Meaning};
use super::parameters::{Cell, Number, Person, Sees};
use crate::judge;

#[then(expr = "{person} sees the page {string}")]
fn sees_the_page(step: &mut Meaning, person: Person, headline: String) {
    step.check(move |trace| judge::sees_page(trace, &person.0, &headline));
}

#[then(expr = "{person} saw the page {string}")]
fn saw_the_page(step: &mut Meaning, person: Person, headline: String) {
    step.check(move |trace| judge::saw_page(trace, &person.0, &headline));
}

#[then(expr = "{person} sees the notice {string}")]
fn sees_the_notice(step: &mut Meaning, person: Person, text: String) {
    step.check(move |trace| judge::is_told(trace, &person.0, &text));
}

#[then(expr = "{person} {sees} the text {string}")]
fn sees_the_text(step: &mut Meaning, person: Person, sees: Sees, text: String) {
    step.check(move |trace| match sees {
        Sees(true) => CheckResult::from(judge::shows(trace, &person.0, &text)),
        Sees(false) => judge::does_not_show(trace, &person.0, &text).into(),
    });
}

#[then(expr = "{person} gets status {number}")]
fn gets_status(step: &mut Meaning, person: Person, status: Number) {
    step.check(move |trace| judge::gets_status(trace, &person.0, status.0));
}

#[then(expr = "{person} is redirected to {string}")]
fn is_redirected_to(step: &mut Meaning, person: Person, target: String) {
    step.check(move |trace| judge::is_redirected_to(trace, &person.0, &target));
}

#[then(expr = "{person} gets the response of {cell}")]
fn gets_the_response_of(step: &mut Meaning, person: Person, cell: Cell) {
    step.check(move |trace| judge::gets_what_cell_responded(trace, &person.0, &cell.0));
}

#[then(expr = "every response has the status {number}")]
fn every_response_has_the_status(step: &mut Meaning, status: Number) {
    step.check(move |trace| judge::every_status(trace, status.0));
}

#[then(expr = "every user got a cell's response unchanged")]
fn every_user_got_a_cell_response_unchanged(step: &mut Meaning) {
    step.check(judge::every_response_passed_on);
}

#[then(expr = "no response to a user carries the field {string}")]
fn no_response_to_a_user_carries_the_field(step: &mut Meaning, field: String) {
    step.check(move |trace| judge::no_response_carries(trace, &field));
}

#[then(expr = "the response to {person} has no {string} in the field {string}")]
fn has_not_in_the_field(step: &mut Meaning, person: Person, text: String, field: String) {
    step.check(move |trace| judge::has_not_in_field(trace, &person.0, &text, &field));
}

#[then(expr = "the response to {person} carries the fields:")]
fn the_response_to_carries_the_fields(step: &mut Meaning, person: Person) {
    let Some(expected) = step.doc_string::<FieldLines>() else { return };
    step.check(move |trace| judge::carries(trace, &person.0, &expected.0));
}

#[then(expr = "the router refused the request")]
fn the_router_refused_the_request(step: &mut Meaning) {
    step.check(judge::refused);
}

#[then(expr = "the refusal names no cell")]
fn the_refusal_names_no_cell(step: &mut Meaning) {
    step.check(judge::names_no_cell);
}

#[then(expr = "the refusal repeats no singleton field")]
fn the_refusal_repeats_no_singleton_field(step: &mut Meaning) {
    step.check(judge::repeats_no_singleton);
}

#[then(expr = "no page outside the Admin Area names a cell")]
fn no_page_outside_admin_area_names_cell(step: &mut Meaning) {
    step.check(judge::no_page_names_a_cell);
}

#[then(expr = "the last two responses were indistinguishable")]
fn last_two_responses_indistinguishable(step: &mut Meaning) {
    step.check(judge::last_two_alike);
}
