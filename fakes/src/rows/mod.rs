//! What databases hold, whoever keeps them: rows and the ids that identify them, writes to the shared
//! schemas, positions in their log, and how a store fails.

mod change;
mod error;
mod id;
mod own;
mod position;
mod range;
mod runners;
mod shared;
mod table;

pub(crate) use change::Change;
pub use error::StoreError;
pub(crate) use error::{Conflict, OpenError};
pub use id::{Id, InvalidId};
pub(crate) use own::{MergeRequest, Namespace, Note, OrganizationRows, OwnRow, Project};
pub use position::Position;
pub use range::IdRange;
pub(crate) use runners::{Job, Lease, Runner, RunnerScope, Tables, Taken};
pub(crate) use shared::{
    CellSettings, Covering, Organization, ProjectReference, Route, Source, User, may_see, prefixes,
};
pub use table::IdTable;
