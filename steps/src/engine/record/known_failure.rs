//! What a router file lists as known not to pass; a record keeps the list.

use cell_fleet::Protocol;
use serde::{Deserialize, Serialize};

use crate::catalog::glob;

/// A scenario that is known not to pass.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct KnownFailure {
    /// The scenario's name without its protocol, or a pattern with `*`.
    pub scenario: String,
    /// The protocol, if it fails under one alone.
    #[serde(default)]
    protocol: Option<Protocol>,
    /// Why, for the readers of a report.
    pub reason: String,
    /// Where to read more: an issue, or a reproduction. Empty where there is nothing yet.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub link: String,
    /// Whether it passes at times. The reason says on what that depends.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub flaky: bool,
}

impl KnownFailure {
    /// Whether it matches the scenario of this name, under this protocol.
    pub(crate) fn matches(&self, name: &str, protocol: Protocol) -> bool {
        let bare = name.rsplit_once('[').map_or(name, |(bare, _)| bare);
        let is_named = [bare, name].iter().any(|name| glob(&self.scenario, name));
        is_named && self.protocol.is_none_or(|only| only == protocol)
    }
}
