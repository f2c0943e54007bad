//! The phases of a move.

use std::fmt;
use std::str::FromStr;

/// A phase of a move, in the order in which they follow one another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum MovePhase {
    /// The move is written down. The new cell takes no write of the organization yet.
    Announce,
    /// Rows, Redis state, repositories and search index are copied; writes go on.
    Copy,
    /// The old cell refuses writes, and ends those that it has begun.
    Freeze,
    /// What has changed since the copy is copied.
    CopyRest,
    /// The copy becomes visible on the new cell, and the routes name it.
    Switch,
    /// The new cell takes writes.
    Thaw,
    /// All replicas know the new owner, and the old cell drops its rows.
    CleanUp,
    /// The move was taken back: the old cell takes writes again.
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
        match self {
            Self::Announce => "announce",
            Self::Copy => "copy",
            Self::Freeze => "freeze",
            Self::CopyRest => "copy the rest",
            Self::Switch => "switch",
            Self::Thaw => "thaw",
            Self::CleanUp => "clean up",
            Self::TakenBack => "taken back",
        }
    }
}

impl fmt::Display for MovePhase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for MovePhase {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let all = Self::ALL.into_iter().chain([Self::TakenBack]);
        all.into_iter().find(|phase| phase.as_str() == text).ok_or_else(|| {
            let names = Self::ALL.map(Self::as_str).join("`, `");
            format!("`{text}` is not a phase of a move; name one of `{names}`")
        })
    }
}
