//! The conformance suite for routers that stand in front of GitLab Cells.
//!
//! Vendors use [`harness`], which makes each scenario a test of `cargo test` and nextest, and
//! [`record`], the types of the JSON report. Everything else is private.
//!
//! Features are scenarios in Gherkin (`catalog`). The `engine` selects cases and runs each (`run`)
//! on a stage of its own (`stage`): a fleet of fake cells, routers as processes, and users
//! (`people`). A Given step changes the plan (`plan`); a When step is an `action`, which `perform`
//! performs on the stage. What happened is joined into a trace (`trace`), on which the Then steps
//! are judged (`judge`), mostly by comparing exchanges (`exchange`). The result is a verdict
//! (`verdict`), and the record of all verdicts is what reports show (`report`).
#![expect(unreachable_pub, reason = "in a private module, `pub` marks what other modules use")]

#[macro_use]
mod standard_streams;

mod action;
mod catalog;
mod cli;
mod cost;
mod engine;
mod exchange;
mod explore;
pub mod harness;
mod judge;
mod ledger;
mod literal;
mod machine;
mod measurement;
mod memory;
mod people;
mod perform;
mod plan;
mod privacy;
mod report;
mod router_file;
mod run;
#[cfg(feature = "broken")]
mod self_test;
mod soak;
mod spec;
mod stage;
mod steps;
mod trace;
mod verdict;

pub use engine::record;

/// The program `cells-conformance`.
#[doc(hidden)]
pub fn main() -> std::process::ExitCode {
    cli::main()
}

/// What the tests and benchmarks of this package use. It is not for others, and changes without
/// notice.
#[doc(hidden)]
pub mod internals {
    pub use crate::catalog::Catalog;
    pub use crate::engine::{Conclusion, run_all};
    pub use crate::ledger::Ledger;
    pub use crate::router_file::reference_claims;
    #[cfg(feature = "broken")]
    pub use crate::self_test::{Extent, MutantUnderTest, Setup, unbroken};
    pub use crate::stage::{launch, reference_router};
}
