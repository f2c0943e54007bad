//! An organization moves in phases.

use cell_fleet::CellId;
use serde::{Deserialize, Serialize};

use super::words::spelled;

/// What happens to the move of an organization in phases.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum MoveAction {
    /// It runs up to a phase, from where it stands.
    Run {
        /// Slug of the organization.
        organization: String,
        /// The cell that gets it.
        #[serde(with = "spelled")]
        #[cfg_attr(test, schemars(with = "String"))]
        cell: CellId,
        /// The last phase.
        through: String,
        /// Whether a replica may stop it that does not know of the switch yet.
        tried: bool,
    },
    /// It runs, and its mover dies in the middle of a phase.
    Die {
        /// Slug of the organization.
        organization: String,
        /// The cell that gets it.
        #[serde(with = "spelled")]
        #[cfg_attr(test, schemars(with = "String"))]
        cell: CellId,
        /// The phase.
        phase: String,
    },
    /// It is taken back.
    TakeBack {
        /// Slug of the organization.
        organization: String,
    },
}
