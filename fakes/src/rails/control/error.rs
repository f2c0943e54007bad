//! Why what a scenario does to an installation has no effect.

use crate::rows::{IdTable, StoreError};
use crate::{CellId, Region};

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ControlError {
    /// No user has this name.
    #[error("there is no user `{0}`")]
    UnknownUser(String),
    /// No organization has this slug.
    #[error("there is no organization `{0}`")]
    UnknownOrganization(String),
    /// The topology does not have this cell.
    #[error("the installation has no {0}")]
    UnknownCell(CellId),
    /// The path is taken, or not valid for a namespace.
    #[error("`{0}` is taken, or not a valid path of a namespace")]
    PathNotFree(String),
    /// Rows of this table are not inserted by a scenario.
    #[error("rows of `{0}` are created by requests alone")]
    NotInserted(IdTable),
    /// No project has this path.
    #[error("there is no project `{0}`")]
    UnknownProject(String),
    /// The organization is on its way to this cell, or there already.
    #[error("`{0}` is on its way to {1}, or there already")]
    OtherMove(String, CellId),
    /// No move of this organization is under way.
    #[error("no move of `{0}` is under way")]
    NoMove(String),
    /// The replica of this region does not know yet that the organization has moved.
    #[error(
        "the replica of {0} does not know of the move yet; run the move again once it has caught up"
    )]
    ReplicaLags(Region),
    /// A store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}
