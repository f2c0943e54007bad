//! Then steps about the responses that users received.

use super::definition::{Definition, then};
use super::doc_strings::FieldLines;
use super::parameters::{Cell, Number, Person};
use crate::judge;
use crate::trace::Trace;

/// The definitions.
pub(super) fn definitions() -> Vec<Definition> {
    vec![
        then(
            "{person} sees the page {string}",
            |trace: &Trace, person: Person, headline: String| {
                judge::sees_page(trace, &person.0, &headline)
            },
        ),
        then(
            "{person} saw the page {string}",
            |trace: &Trace, person: Person, headline: String| {
                judge::saw_page(trace, &person.0, &headline)
            },
        ),
        then("{person} sees the notice {string}", |trace: &Trace, person: Person, text: String| {
            judge::is_told(trace, &person.0, &text)
        }),
        then("{person} sees the text {string}", |trace: &Trace, person: Person, text: String| {
            judge::shows(trace, &person.0, &text, true)
        }),
        then(
            "{person} does not see the text {string}",
            |trace: &Trace, person: Person, text: String| {
                judge::shows(trace, &person.0, &text, false)
            },
        ),
        then("{person} gets status {number}", |trace: &Trace, person: Person, status: Number| {
            judge::gets_status(trace, &person.0, status.0)
        }),
        then(
            "{person} is redirected to {string}",
            |trace: &Trace, person: Person, target: String| {
                judge::is_sent_to(trace, &person.0, &target)
            },
        ),
        then(
            "{person} gets the response of {cell}",
            |trace: &Trace, person: Person, cell: Cell| {
                judge::gets_what_cell_responded(trace, &person.0, &cell.0)
            },
        ),
        then("every response has the status {number}", |trace: &Trace, status: Number| {
            judge::every_status(trace, status.0)
        }),
        then("every user got a cell's response unchanged", judge::every_response_passed_on),
        then("no response to a user carries the field {string}", |trace: &Trace, field: String| {
            judge::no_response_carries(trace, None, &field)
        }),
        then(
            "the response to {person} carries no field {string}",
            |trace: &Trace, person: Person, field: String| {
                judge::no_response_carries(trace, Some(&person.0), &field)
            },
        ),
        then(
            "the response to {person} has no {string} in the field {string}",
            |trace: &Trace, person: Person, text: String, field: String| {
                judge::has_not_in_field(trace, &person.0, &text, &field)
            },
        ),
        then(
            "the response to {person} carries the fields:",
            |trace: &Trace, person: Person, expected: FieldLines| {
                judge::carries(trace, &person.0, &expected.0)
            },
        ),
        then("the router refused the request", judge::refused),
        then("the refusal names no cell", judge::names_no_cell),
        then("no page outside the Admin Area names a cell", judge::no_page_names_a_cell),
        then("the last two responses were indistinguishable", judge::last_two_alike),
    ]
}
