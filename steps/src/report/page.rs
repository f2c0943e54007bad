//! What the pages of the specification share with the report: frame, prose and drawings.

pub(crate) use super::html::drawing::SequenceDiagram;
pub(crate) use super::html::frame::page;
pub(crate) use super::html::requirements::{DOCUMENTS, sections_of};
pub(crate) use super::html::text::{documents_of, prose};
