//! The phases of a move.

use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, IntoStaticStr};

/// A phase of a move, in the order in which they follow one another.
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Debug,
    Display,
    EnumString,
    IntoStaticStr,
    Serialize,
    Deserialize,
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "lowercase", parse_err_ty = String, parse_err_fn = unknown)]
pub enum MovePhase {
    /// The move is written down. The new cell takes no write of the organization yet.
    Announce,
    /// Rows, Redis state, repositories and search index are copied; writes go on.
    Copy,
    /// The old cell refuses writes, and ends those that it has begun.
    Freeze,
    /// What has changed since the copy is copied.
    #[strum(serialize = "copy the rest")]
    CopyRest,
    /// The copy becomes visible on the new cell, and the routes name it.
    Switch,
    /// The new cell takes writes.
    Thaw,
    /// All replicas know the new owner, and the old cell drops its rows.
    #[strum(serialize = "clean up")]
    CleanUp,
    /// The move was taken back: the old cell takes writes again.
    #[strum(serialize = "taken back")]
    TakenBack,
}

impl MovePhase {
    /// The phases of a move that is not taken back.
    pub const ALL: [Self; 7] = [
        Self::Announce,
        Self::Copy,
        Self::Freeze,
        Self::CopyRest,
        Self::Switch,
        Self::Thaw,
        Self::CleanUp,
    ];

    /// The phase in words.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

fn unknown(text: &str) -> String {
    let names = MovePhase::ALL.map(MovePhase::as_str).join("`, `");
    format!("`{text}` is not a phase of a move; name one of `{names}`")
}
