//! Reports: functions of the record of a run. Only the progress on a terminal follows events.

mod cause;
pub mod compare;
pub mod draft;
mod facts;
mod failure;
mod html;
mod journeys;
pub mod json_lines;
mod junit;
mod lines;
mod markdown;
pub mod matrix;
pub mod notes;
mod outcomes;
pub mod page;
mod pair;
mod protocols;
mod rerun;
#[cfg(test)]
pub(crate) mod sample;
mod screen;
mod standing;
mod summary;
mod terminal;
#[cfg(test)]
mod tests;
mod text;
pub mod verify;
mod whole_file;
mod write;

pub use facts::{exploration_header, header};
pub(crate) use failure::describe;
pub use lines::{cut, sentence};
pub use notes::shard_line;
pub use screen::{ColorChoice, Screen, Styles};
pub use summary::summary;
pub use terminal::Terminal;
pub use whole_file::write_file;
pub use write::{Form, ReportFile, try_paths, write};
