//! Git repositories in memory, and the exchanges of git's smart HTTP protocol about them.
//!
//! Cells serve by it, and the suite clones and pushes by it, so that neither needs the program
//! `git`. `ci/clients` shows that the real program understands the same cells.
//!
//! Spoken is version 0 of the protocol, without side bands: advertisement, clone and fetch, push.

mod exchange;
mod object;
pub(crate) mod on_disk;
mod pack;
mod packets;
mod repository;

pub use exchange::{
    Advertised, CloneError, Service, advertised, advertisement, clone_request, cloned,
    push_request, push_result, pushed, received, uploaded,
};
pub use object::{Object, ObjectId, ObjectKind};
pub use pack::PackError;
pub use repository::{GitRepository, MAIN, MissingObject};
