//! Git repositories: those of projects, in memory, and those on disk, which `fleet --git` serves.

mod on_disk;
pub(in crate::rails) mod repositories;

pub(super) use on_disk::serve;
