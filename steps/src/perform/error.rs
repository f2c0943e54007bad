//! Why an action did not take place.

use std::fmt;

/// Why an action did not take place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ActionError {
    /// The action cannot be done as it is written: the scenario is wrong, not the router.
    Invalid(String),
    /// What happened before leaves nothing to go on from.
    Interrupted(String),
    /// The suite failed: a file, a process.
    Suite(String),
}

impl fmt::Display for ActionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invalid(why) | Self::Interrupted(why) | Self::Suite(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for ActionError {}

impl ActionError {
    pub(super) fn invalid(why: impl fmt::Display) -> Self {
        Self::Invalid(why.to_string())
    }
}
