//! What other pages share with the report: frame, prose and drawings.

pub use super::html::drawing::{Mark, SequenceDiagram};
pub use super::html::frame::page;
pub(crate) use super::html::frame::table;
pub(crate) use super::html::requirements::{DOCUMENTS, is_from, sections_of};
pub(crate) use super::html::text::documents_of;
pub use super::html::text::prose;
