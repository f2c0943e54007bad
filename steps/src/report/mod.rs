//! What people read of a run. Written from events, so that running and reporting stay apart.

mod collect;
pub mod data;
mod failure;
mod html;
mod junit;
mod markdown;
mod terminal;
mod write;

pub use collect::{Description, collect, digests};
pub use failure::describe;
pub use terminal::Terminal;
pub use write::{Form, Wanted, WriteError, write};
