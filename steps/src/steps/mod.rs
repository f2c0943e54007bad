//! The step definitions, a file for each subject. The body of a step is a few lines: typed code
//! with tests of its own does the work.
//!
//! Text becomes a plan change, an action or a check in this module and nowhere else.

mod argument;
mod bound;
mod definition;
mod definitions;
mod described;
mod doc_strings;
mod given_cell_faults;
mod given_cells;
mod given_faults;
mod given_fleet;
mod given_groups;
mod given_ids;
mod given_people;
mod given_routers;
mod given_runners;
mod given_sessions;
mod handler;
mod near;
mod parameters;
mod then_cells;
mod then_exchange;
mod then_faults;
mod then_git;
mod then_ids;
mod then_model;
mod then_moves;
mod then_responses;
mod then_runners;
mod then_sessions;
mod then_shown;
mod then_streams;
mod then_times;
mod then_trust;
mod when_connections;
mod when_flows;
mod when_git;
mod when_ids;
mod when_moves;
mod when_requests;
mod when_runners;
mod when_visits;
mod when_world;

pub(crate) use bound::{BoundStep, Check, CheckResult, PlanChange};
use definition::Definition;
pub(crate) use definition::Role;
pub(crate) use definitions::{NotFound, find, needs};
pub(crate) use described::{DescribedStep, described, parameters};
pub(crate) use near::near;

/// The definitions of all files.
fn all() -> Vec<Definition> {
    [
        given_cell_faults::definitions(),
        given_cells::definitions(),
        given_faults::definitions(),
        given_fleet::definitions(),
        given_ids::definitions(),
        given_groups::definitions(),
        given_people::definitions(),
        given_routers::definitions(),
        given_runners::definitions(),
        given_sessions::definitions(),
        when_connections::definitions(),
        when_flows::definitions(),
        when_git::definitions(),
        when_ids::definitions(),
        when_moves::definitions(),
        when_requests::definitions(),
        when_runners::definitions(),
        when_visits::definitions(),
        when_world::definitions(),
        then_cells::definitions(),
        then_exchange::definitions(),
        then_faults::definitions(),
        then_git::definitions(),
        then_ids::definitions(),
        then_model::definitions(),
        then_moves::definitions(),
        then_responses::definitions(),
        then_runners::definitions(),
        then_sessions::definitions(),
        then_shown::definitions(),
        then_streams::definitions(),
        then_times::definitions(),
        then_trust::definitions(),
    ]
    .into_iter()
    .flatten()
    .collect()
}
