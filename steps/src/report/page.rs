//! What the pages of the specification share with the report: their look, escaped text, drawings.

pub(crate) use super::html::drawing::Drawing;
pub(crate) use super::html::head;
pub(crate) use super::html::requirements::{DOCUMENTS, sections_of};
pub(crate) use super::html::text::{Esc, Prose};
