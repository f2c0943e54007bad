//! Then steps about streamed bodies, and about connections that stay open.

use super::definition::{Definition, then};
use super::parameters::{Cell, Number, Person, Status};
use crate::judge;
use crate::trace::Trace;

/// The definitions.
pub(super) fn definitions() -> Vec<Definition> {
    vec![
        then(
            "the first bytes reached {person} before the cell sent the rest",
            |trace: &Trace, person: Person| judge::first_bytes_before_rest(trace, &person.0),
        ),
        then(
            "the cells had sent at most {number} bytes while {person} read nothing",
            |trace: &Trace, bytes: Number, person: Person| {
                judge::sent_at_most(trace, &person.0, bytes.0)
            },
        ),
        then(
            "the router took at most {number} bytes while the cell read nothing",
            |trace: &Trace, bytes: Number| judge::took_at_most(trace, bytes.0),
        ),
        then("{person} was connected to {cell}", |trace: &Trace, person: Person, cell: Cell| {
            judge::was_connected_to(trace, &person.0, &cell.0)
        }),
        then("{person} heard {string}", |trace: &Trace, person: Person, message: String| {
            judge::heard(trace, &person.0, &message)
        }),
        then("{person} gets no chunked coding", |trace: &Trace, person: Person| {
            judge::no_chunked_coding(trace, &person.0)
        }),
        then(
            "{person} got {status} before the response",
            |trace: &Trace, person: Person, interim: Status| {
                judge::got_before_response(trace, &person.0, interim.0)
            },
        ),
        then("{person} got nothing before the response", |trace: &Trace, person: Person| {
            judge::got_nothing_before_response(trace, &person.0)
        }),
        then(
            "the first bytes of the response reached {person}",
            |trace: &Trace, person: Person| judge::first_bytes_came(trace, &person.0),
        ),
    ]
}
