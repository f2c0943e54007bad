//! Then steps about the time that a router adds to that of its cells.

use super::definition::{Definition, then};
use super::parameters::{Number, Person};
use crate::judge;
use crate::needs::Needs;
use crate::trace::Trace;

/// The definitions.
pub(super) fn definitions() -> Vec<Definition> {
    vec![
        then(
            "the router added at most {number} ms to the fastest of {person}'s requests",
            |trace: &Trace, limit: Number, person: Person| {
                judge::best_adds_at_most(trace, &person.0, limit.0)
            },
        )
        .needs(Needs::QUIET),
        then(
            "at least {number} of {person}'s 404 responses were delayed by {number} ms or more",
            |trace: &Trace, count: Number, person: Person, least: Number| {
                judge::not_found_held_back(trace, &person.0, count.size(), least.0)
            },
        ),
    ]
}
