//! Reports of a run. They are made from its events, so that running and reporting stay apart.

mod collect;
pub mod compare;
pub mod data;
mod failure;
mod html;
mod junit;
mod markdown;
pub(crate) mod page;
#[cfg(test)]
pub(crate) mod sample;
mod terminal;
mod text;
pub mod verify;
mod write;

pub(crate) use collect::profile_verdict;
pub use collect::{Description, collect, digests};
pub use failure::describe;
pub(crate) use markdown::block_of as markdown_block;
pub use terminal::Terminal;
pub use write::{Form, Wanted, WriteError, write};
