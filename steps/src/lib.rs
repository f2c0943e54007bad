//! The conformance suite for routers that stand in front of GitLab Cells.
//!
//! Features are scenarios in Gherkin ([`catalog`]). Each is run ([`run`]) on a stage of its own
//! ([`stage`]): a fleet of fake cells, routers as processes, and users ([`people`]). What happened
//! is joined into a trace ([`trace`]), on which the Then steps are judged ([`judge`]), foremost by
//! comparing exchanges ([`exchange`]). The result is a [`verdict`].

pub mod action;
pub mod catalog;
pub mod claims;
pub mod cli;
pub mod coverage;
pub mod documents;
pub mod engine;
pub mod exchange;
mod first_few;
pub mod harness;
pub mod judge;
pub mod launch;
pub mod ledger;
pub mod memory;
pub mod people;
pub mod plan;
pub mod privacy;
pub mod report;
pub mod router_file;
pub mod run;
pub mod self_test;
pub mod spec;
pub mod stage;
mod steps;
pub mod suite;
pub mod trace;
pub mod verdict;
