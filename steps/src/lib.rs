//! The conformance suite for routers that stand in front of GitLab Cells.
//!
//! Vendors use [`harness`], which makes each scenario a test of `cargo test` and nextest, and
//! [`record`], the types of the JSON report. What else is public is for the laboratory and the
//! program of this repository, and changes without notice.
//!
//! Features are scenarios in Gherkin (`catalog`). The `engine` selects cases and runs each (`run`)
//! on its own stage (`stage`): a fleet of fake cells, routers as processes, and users
//! (`people`). A Given step changes the plan (`plan`); a When step is an `action`, which `perform`
//! performs on the stage. What happened is joined into a trace (`trace`), on which the Then steps
//! are judged (`judge`), mostly by comparing exchanges (`exchange`). The result is a verdict
//! (`verdict`), and the record of all verdicts is what reports show (`report`).
#![expect(unreachable_pub, reason = "in a private module, `pub` marks what other modules use")]

#[macro_use]
#[doc(hidden)]
pub mod standard_streams;

#[doc(hidden)]
pub mod action;
#[doc(hidden)]
pub mod catalog;
#[doc(hidden)]
pub mod engine;
mod exchange;
#[warn(missing_docs)]
pub mod harness;
#[doc(hidden)]
pub mod judge;
#[doc(hidden)]
pub mod ledger;
#[doc(hidden)]
pub mod literal;
#[doc(hidden)]
pub mod people;
mod perform;
#[doc(hidden)]
pub mod plan;
#[doc(hidden)]
pub mod report;
#[doc(hidden)]
pub mod router_file;
#[doc(hidden)]
pub mod run;
#[doc(hidden)]
pub mod spec;
#[doc(hidden)]
pub mod stage;
#[doc(hidden)]
pub mod steps;
#[doc(hidden)]
pub mod trace;
#[doc(hidden)]
pub mod verdict;

pub use engine::record;
