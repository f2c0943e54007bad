//! Then steps about malicious bytes, and about what a router must not reveal.

use super::definition::{Definition, then};
use super::parameters::Person;
use crate::judge;
use crate::trace::Trace;

/// The definitions.
pub(super) fn definitions() -> Vec<Definition> {
    vec![
        then("the router refused the bytes", judge::refused_the_bytes),
        then("nothing of the bytes reached a cell", judge::nothing_of_the_bytes_arrived),
        then("every request that reached a cell was answered", judge::every_arrival_was_responded),
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
            "{person} is not sent to the host {string}",
            |trace: &Trace, person: Person, host: String| {
                judge::is_not_sent_to_host(trace, &person.0, &host)
            },
        ),
        then(
            "every request told the cells the same in the field {string}",
            |trace: &Trace, field: String| judge::told_the_same(trace, &field),
        ),
        then(
            "the field {string} came to a cell as {string}, or the bytes were refused",
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
