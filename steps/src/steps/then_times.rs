//! Then steps about the time that a router adds to that of its cells.

use cucumber::then;

use super::meaning::Meaning;
use super::parameters::{Number, Person};
use crate::judge;

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
