//! What is tried with the conformance suite, other than judging a router once.
//!
//! `explore` makes journeys that nobody wrote and shortens those that fail. `self_test` runs the
//! suite and explorations against mutants, `stability` the suite many times against one router.
//! `proofs` has models of the proposals that are checked state by state.
//! `memory`, `privacy` and `soak` measure a router; `measurement` and `visitor` are what they
//! share. `scenario` has the scenarios that the laboratory writes.
//!
//! It is for the program of this repository, and changes without notice.

pub mod explore;
pub mod flows;
pub mod measurement;
pub mod memory;
pub mod privacy;
pub mod proofs;
mod scenario;
pub mod self_test;
pub mod soak;
pub mod stability;
mod visitor;
