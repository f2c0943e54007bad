//! Then steps about malicious bytes, and about what a router must not reveal.

use super::definition::{Definition, then};
use super::parameters::Person;
use crate::judge;
use crate::trace::Trace;

/// The definitions.
pub(super) fn definitions() -> Vec<Definition> {
    vec![
        then("the router refused the raw request", judge::refused_the_bytes),
        then(
            "the router refused the raw request, or gave up on it",
            judge::refused_or_gave_up_the_bytes,
        ),
        then("the raw request opened no tunnel", judge::opened_no_tunnel),
        then("no part of the raw request reached a cell", judge::nothing_of_the_bytes_arrived),
        then(
            "the user got a response to every request that reached a cell",
            judge::every_arrival_was_responded,
        ),
        then("no cell received an unsolicited request", judge::nothing_unsolicited),
        then("no cell received a request for {string}", |trace: &Trace, path: String| {
            judge::no_cell_received(trace, &path)
        }),
        then(
            "no cell received {string} in the field {string}",
            |trace: &Trace, value: String, field: String| {
                judge::no_cell_received_in_field(trace, &value, &field)
            },
        ),
        then(
            "{person} is not redirected to the host {string}",
            |trace: &Trace, person: Person, host: String| {
                judge::is_not_sent_to_host(trace, &person.0, &host)
            },
        ),
        then("no cell received a NUL", judge::no_nul_arrived),
        then("no copy of the request had a length beside chunks", judge::copies_have_one_length),
        then(
            "each copy of the request had a smaller number in the field {string}",
            |trace: &Trace, field: String| judge::copies_have_smaller_number(trace, &field),
        ),
        then(
            "every request carried the same field {string} to the cells",
            |trace: &Trace, field: String| judge::told_the_same(trace, &field),
        ),
        then(
            "no cell received the host {string} with the request for {string}",
            |trace: &Trace, host: String, path: String| {
                judge::no_cell_received_host(trace, &host, &path)
            },
        ),
        then(
            "each request had {string} in the field {string}",
            |trace: &Trace, value: String, field: String| {
                judge::each_request_had_in_field(trace, &value, &field)
            },
        ),
        then(
            "a cell received the field {string} as {string}, or the router refused \
             the raw request",
            |trace: &Trace, field: String, value: String| {
                judge::came_unfolded_or_refused(trace, &field, &value)
            },
        ),
        then(
            "the response to {person} names no cell's address",
            |trace: &Trace, person: Person| judge::names_no_address(trace, &person.0),
        ),
        then(
            "the router's cookies are HttpOnly, Secure and SameSite=Lax",
            judge::router_cookies_are_guarded,
        ),
        then("the router's cookies name no cell", judge::router_cookies_name_no_cell),
    ]
}
