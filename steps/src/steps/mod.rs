//! The step definitions, by what they speak of. A step's body is a few lines: the work is in typed
//! code that has tests of its own.

mod given_cell_faults;
mod given_cells;
mod given_faults;
mod given_fleet;
mod given_people;
mod given_routers;
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

use cucumber::gherkin::Step;

/// The doc string of a step.
fn doc_string(step: &Step) -> Result<&str, String> {
    step.docstring.as_deref().ok_or_else(|| "the step needs a doc string".to_owned())
}
