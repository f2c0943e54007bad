//! Cells routers with exactly one mistake each: the proof that the conformance suite can fail.
//!
//! Each is the reference router with something else at one of its seams, or with a filter around the
//! bytes of a connection. A [`Mutant`] is wrong there; a [`Variant`] makes a choice that the documents
//! leave open, which the suite must accept. The routers of [`degenerate`] do not route at all: the
//! null baseline.

mod around;
mod catalog;
mod entry;
mod run;

pub use catalog::{degenerate, mutants, variants};
pub use entry::{Mutant, Protocol, Protocols, Variant};
pub use run::{USAGE, run, variable};
