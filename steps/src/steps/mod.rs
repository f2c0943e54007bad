//! The step definitions, by what they speak of. A step's body is a few lines: the work is in typed
//! code that has tests of its own.

mod argument;
mod definition;
mod definitions;
mod doc_strings;
mod given_cell_faults;
mod given_cells;
mod given_faults;
mod given_fleet;
mod given_people;
mod given_routers;
mod handler;
pub(crate) mod needs;
mod parameters;
mod then_cells;
mod then_exchange;
mod then_faults;
mod then_responses;
mod then_shown;
mod then_streams;
mod then_times;
mod then_trust;
mod when_cookies;
mod when_faults;
mod when_groups;
mod when_places;
mod when_raw;
mod when_requests;
mod when_streams;
mod when_tokens;
mod when_websocket;
mod when_world;

use definition::Definition;
pub(crate) use definition::{BoundStep, CheckResult, Role};
pub(crate) use definitions::{NotFound, find, needs};

/// The definitions of all files.
fn all() -> Vec<Definition> {
    [
        given_cell_faults::definitions(),
        given_cells::definitions(),
        given_faults::definitions(),
        given_fleet::definitions(),
        given_people::definitions(),
        given_routers::definitions(),
        when_cookies::definitions(),
        when_faults::definitions(),
        when_groups::definitions(),
        when_places::definitions(),
        when_raw::definitions(),
        when_requests::definitions(),
        when_streams::definitions(),
        when_tokens::definitions(),
        when_websocket::definitions(),
        when_world::definitions(),
        then_cells::definitions(),
        then_exchange::definitions(),
        then_faults::definitions(),
        then_responses::definitions(),
        then_shown::definitions(),
        then_streams::definitions(),
        then_times::definitions(),
        then_trust::definitions(),
    ]
    .into_iter()
    .flatten()
    .collect()
}
