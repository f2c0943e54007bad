//! Reports: functions of the record of a run. Only the progress on a terminal follows events.

mod by_hand;
mod cause;
pub mod compare;
mod counts;
mod exploration;
mod failure;
mod header;
mod html;
mod junit;
mod lines;
mod markdown;
pub mod matrix;
mod not_claimed;
pub(crate) mod notes;
pub(crate) mod page;
mod pair;
mod protocols;
mod rerun;
#[cfg(test)]
pub(crate) mod sample;
mod screen;
mod shard;
mod summary;
mod terminal;
mod text;
pub mod verify;
mod write;

pub(crate) use failure::describe;
pub(crate) use header::{exploration_header, header};
pub(crate) use lines::{cut, sentence};
pub(crate) use markdown::block_of as markdown_block;
pub(crate) use screen::{ColorChoice, Screen, Styles};
pub(crate) use shard::shard_line;
pub(crate) use summary::summary;
pub use terminal::Terminal;
pub use write::ReportFile;
pub(crate) use write::{try_paths, write};
