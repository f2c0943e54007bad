//! Then steps about responses that could be late, truncated, made up, or given to a retry.

use super::definition::{Definition, then};
use super::parameters::{Cell, Number, Person, Statuses};
use crate::judge;
use crate::needs::Needs;
use crate::trace::Trace;

/// The definitions.
pub(super) fn definitions() -> Vec<Definition> {
    vec![
        then(
            "the response to {person} took at most {number} ms",
            |trace: &Trace, person: Person, limit: Number| {
                judge::had_response_within(trace, &person.0, limit.0)
            },
        )
        .needs(Needs::QUIET),
        then(
            "{person} never sees a truncated response as complete",
            |trace: &Trace, person: Person| judge::not_given_part_as_whole(trace, &person.0),
        ),
        then("no user sees a truncated response as complete", judge::every_response_whole_or_none),
        then("every response to {person} is complete", |trace: &Trace, person: Person| {
            judge::responses_were_whole(trace, &person.0)
        }),
        then("{person} gets a cell's response, or a refusal", |trace: &Trace, person: Person| {
            judge::gets_cells_response_or_refusal(trace, &person.0)
        }),
        then(
            "{person} gets the response of {cell}, or the request ends at the cell",
            |trace: &Trace, person: Person, cell: Cell| {
                judge::gets_response_or_request_ends(trace, &person.0, &cell.0)
            },
        ),
        then(
            "{person} gets one of the statuses {statuses}",
            |trace: &Trace, person: Person, statuses: Statuses| {
                judge::gets_one_of(trace, &person.0, &statuses.0)
            },
        ),
        then("the responses came in the order of the requests", judge::responses_in_order),
        then(
            "each user on the connection got the response to their own request",
            judge::each_has_its_response,
        ),
        then("the router retried no request", judge::nothing_sent_again),
    ]
}
