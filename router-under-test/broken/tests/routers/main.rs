//! The routers as processes, over scripted cells.

mod base;
mod battery;
mod cells;
mod defects;
mod hostile;
mod probes;
mod raw_cells;
mod special;
mod support;
mod tables;
