//! The routers as processes, in front of scripted cells.

mod base;
mod cells;
mod free_address;
mod mutants;
mod support;
mod tables;
