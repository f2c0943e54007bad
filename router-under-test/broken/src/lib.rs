//! Cells routers with exactly one mutation each: the proof that the conformance suite can fail.
//!
//! `base` is a compact router that follows both proposals, written apart from the reference router
//! and from everything else of this workspace, down to the bytes of HTTP. A [`Mutant`] switches one
//! mutation on, where the decision is made; a [`Variant`] switches on a choice that the documents
//! leave open, which the suite must accept. The routers of [`degenerate`] do not route at all: the
//! null baseline.
//!
//! Nothing here is meant for production: bodies are buffered in memory where they may be resent,
//! and the code is written for reading, not for speed.

mod around;
mod base;
mod catalog;
pub mod deviation;
mod entry;
mod kind;
mod mutants;
mod name;
mod protocol;
mod run;

pub use catalog::{degenerate, mutants, variants};
pub use entry::{Mutant, Variant};
pub use protocol::{Protocol, Protocols};
pub use run::{USAGE, run, run_generated};
