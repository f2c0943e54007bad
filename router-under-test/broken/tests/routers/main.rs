//! The routers as processes, in front of scripted cells.

mod base;
mod battery;
mod cells;
mod hostile;
mod mutants;
mod probes;
mod raw_cells;
mod rows;
mod special;
mod support;
mod tables;
