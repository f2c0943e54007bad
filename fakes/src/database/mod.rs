//! The databases: schemas that all cells share, and each cell's own.
//!
//! `gitlab_users`, `gitlab_routes` and `gitlab_admin` have one primary, which takes all writes, and
//! a replica in each region, from which that region's cells read (DB-05, A-71). `gitlab_main` and
//! `gitlab_ci` exist once for each cell (DB-04).
//!
//! [`store`] is the seam: the plan names the [`Stores`], a [`Seed`] says what they hold at first,
//! and cells reach them through a [`Connection`], which enters every access, and every failure of
//! the store, into the journal. `memory` is the default; another crate has stores on servers.
//! Nothing outside an implementation names its types.

mod connection;
mod layout;
mod memory;
mod seed;
mod servers;
mod state;
mod store;
#[cfg(test)]
mod tests;

pub use connection::Connection;
pub use layout::{DatabaseEntry, ReplicaAddresses, database_yml, documented_databases};
pub use seed::Seed;
pub(crate) use servers::CorrectFront;
pub use servers::{Front, Place, Server, Servers};
pub use state::CellState;
pub use store::{
    OpenStores, OwnDatabases, Read, Seen, SharedDatabases, Spread, StoreFactory, Stores, Written,
};

pub(crate) use crate::rows::{
    Change, Conflict, Counters, Covering, MergeRequest, Namespace, Note, OpenError, Organization,
    OrganizationRows, Position, Project, ProjectReference, Route, Source, StoreError, Stored, User,
    may_see,
};
