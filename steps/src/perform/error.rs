//! Why an action did not take place.

use std::fmt;

/// Why an action did not take place.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ActionError {
    /// The action cannot be done as it is written: the scenario is wrong, not the router.
    #[error("{0}")]
    Invalid(String),
    /// What happened before leaves nothing to go on from.
    #[error("{0}")]
    Interrupted(String),
    /// The suite failed: a file, a process.
    #[error("{0}")]
    Suite(String),
}

impl ActionError {
    pub(super) fn invalid(why: impl fmt::Display) -> Self {
        Self::Invalid(why.to_string())
    }
}
