//! The routers as processes, over scripted cells.

mod base;
mod battery;
mod cells;
mod hostile;
mod mutants;
mod probes;
mod raw_cells;
mod special;
mod support;
mod tables;
