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
mod write;

/// What other pages share with the report: frame, prose and drawings.
pub mod page {
    pub use super::html::drawing::{Mark, SequenceDiagram};
    pub use super::html::frame::page;
    pub(crate) use super::html::frame::table;
    pub(crate) use super::html::requirements::{DOCUMENTS, is_from, sections_of};
    pub(crate) use super::html::text::documents_of;
    pub use super::html::text::prose;
}

pub use facts::{exploration_header, header};
pub(crate) use failure::describe;
pub use lines::{cut, sentence};
pub use notes::shard_line;
pub use screen::{ColorChoice, Screen, Styles};
pub use summary::summary;
pub use terminal::Terminal;
pub use write::{Form, ReportFile, try_paths, write, write_file};
