//! The databases: schemas that all cells share, and each cell's own.
//!
//! `gitlab_users`, `gitlab_routes` and `gitlab_admin` have one primary, which takes all writes, and
//! a replica in each region, from which that region's cells read (DB-05, A-71). `gitlab_main` and
//! `gitlab_ci` exist once for each cell (DB-04).
//!
//! [`store`] is the seam: the plan names the [`Stores`], a [`Seed`] says what they hold at first,
//! and cells reach them through a [`Connection`], which enters every access, and every failure of
//! the store, into the journal. `memory` is the default; `real` is compiled with the feature
//! `stores`. Nothing outside an implementation names its types.

mod change;
mod connection;
mod error;
mod layout;
mod memory;
mod position;
#[cfg(feature = "stores")]
mod real;
mod rows;
mod seed;
mod state;
mod store;
mod stores;
#[cfg(test)]
mod tests;

pub(crate) use change::Change;
pub(crate) use connection::{Connection, ServerChoice};
pub use error::StoreError;
pub(crate) use error::{Conflict, OpenError};
pub use layout::{DatabaseEntry, ReplicaAddresses, database_yml, documented_databases};
pub use position::Position;
#[cfg(feature = "stores")]
pub use real::RealStores;
pub(crate) use rows::{
    CellSettings, Covering, MergeRequest, Namespace, Note, Organization, OrganizationRows, Project,
    ProjectReference, Route, Source, User, may_see,
};
pub(crate) use seed::Seed;
pub(crate) use state::{CellState, Counters};
pub(crate) use store::{OpenStores, Server, Spread};
pub use stores::Stores;
