//! The step definitions, a file for each subject. The body of a step is a few lines: typed code
//! with its own tests does the work.
//!
//! Text becomes a plan change, an action or a check in this module and nowhere else.

mod definition;
mod definitions;
pub mod described;
mod doc_strings;
mod given_cells;
mod given_faults;
mod given_fleet;
mod given_groups;
mod given_routers;
mod meaning;
mod near;
pub mod parameters;
mod then_cells;
mod then_exchange;
mod then_faults;
mod then_model;
mod then_records;
mod then_responses;
mod then_trust;
mod when_connections;
mod when_requests;
mod when_runners;
mod when_visits;
mod when_world;

pub use definitions::{NotFound, find, needs};
pub use described::{DescribedStep, described, parameters};
pub(crate) use meaning::{BoundStep, Check, CheckResult, Role};
pub(crate) use near::near;
