//! A person uses a Git repository.

use serde::{Deserialize, Serialize};

/// What a person does with a Git repository, over git's smart HTTP protocol.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum GitAction {
    /// They push a commit on top of the branch `main`.
    Push {
        /// Its title.
        commit: String,
        /// The path of the repository.
        repository: String,
    },
    /// They clone it.
    Clone {
        /// The path of the repository.
        repository: String,
    },
}
