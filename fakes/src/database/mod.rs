//! The databases: schemas that all cells share, and each cell's own.
//!
//! `gitlab_users`, `gitlab_routes` and `gitlab_admin` have one primary, which takes all writes, and
//! a replica in each region, from which that region's cells read (DB-05, A-71). `gitlab_main` and
//! `gitlab_ci` exist once for each cell (DB-04).
//!
//! [`store`] is the seam: the plan names the [`Stores`], a [`Seed`] says what they hold at first,
//! and cells reach them through a [`Connection`], which enters every access, and every failure of
//! the store, into the journal. `memory` is the one implementation today, and nothing outside it
//! names its types.

mod change;
mod connection;
mod error;
mod memory;
mod position;
mod rows;
mod seed;
mod store;
mod stores;
#[cfg(test)]
mod tests;

pub(crate) use change::Change;
pub(crate) use connection::{Connection, ServerChoice};
pub use error::StoreError;
pub(crate) use error::{Conflict, OpenError};
pub use position::Position;
pub(crate) use rows::{
    CellSettings, Covering, MergeRequest, Namespace, Note, Organization, OrganizationRows, Project,
    ProjectReference, Route, Source, User, may_see,
};
pub(crate) use seed::Seed;
pub(crate) use store::{OpenStores, Server, Spread};
pub use stores::Stores;
