//! What people read of a run. Written from events, so that running and reporting stay apart.

mod failure;
mod terminal;

pub use failure::describe;
pub use terminal::Terminal;
