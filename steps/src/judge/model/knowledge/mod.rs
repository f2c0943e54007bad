//! What is known: of the installation ([`Facts`]), and by its routers ([`Memory`]).
//!
//! Both follow from the documents, the journey and what cells said. Neither knows what a router
//! did with its knowledge: the [model](super) judges that.

mod facts;
mod memory;
mod taught;

pub(super) use facts::{Facts, Place, covers};
pub(super) use memory::{Entry, Memory, Sure};
pub(super) use taught::taught;
