//! The two proposals, and what a plan may choose within them.

use serde::{Deserialize, Serialize};

/// The proposal that the cells follow.
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Debug,
    Serialize,
    Deserialize,
    strum::Display,
    strum::IntoStaticStr,
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Protocol {
    /// A cell responds 302 with the redirect header for a path that it does not own.
    Buffering,
    /// A cell responds at the learn endpoint, and 404 for a path that it does not own.
    Learning,
}

impl Protocol {
    /// Both protocols.
    pub const ALL: [Self; 2] = [Self::Buffering, Self::Learning];

    /// `buffering` or `learning`, as in a topology file.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// The cell that redirects a signed-out visitor of a private page to the sign-in page (BF-15,
///
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LoginBy {
    /// The cell that receives the request, as the buffering proposal draws it.
    AskedCell,
    /// The owner of the path, as the routes-learning proposal draws it.
    Owner,
}
