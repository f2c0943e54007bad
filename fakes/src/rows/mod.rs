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

pub use change::Change;
pub use error::{Conflict, OpenError, StoreError, Stored};
pub use id::{Id, InvalidId};
pub use own::{
    Counters, MergeRequest, Namespace, Note, OrganizationRows, Project, Visibility, Work,
};
pub use position::Position;
pub use range::IdRange;
pub use runners::{Job, JobState, Lease, Runner, RunnerScope, Tables};
pub use shared::may_see;
pub use shared::{
    CellSettings, Covering, Organization, ProjectReference, Route, Source, User, prefixes,
};
pub use table::IdTable;
