//! Reports: functions of the record of a run. Only the progress on a terminal follows events.

mod by_hand;
pub mod compare;
mod failure;
mod header;
mod html;
mod junit;
mod markdown;
pub mod matrix;
pub(crate) mod notes;
pub(crate) mod page;
mod protocols;
#[cfg(test)]
pub(crate) mod sample;
mod shard;
mod terminal;
mod text;
pub mod verify;
mod write;

pub use failure::describe;
pub(crate) use header::header;
pub(crate) use markdown::block_of as markdown_block;
pub(crate) use shard::shard_line;
pub use terminal::Terminal;
pub use write::ReportFile;
pub(crate) use write::{try_paths, write};
