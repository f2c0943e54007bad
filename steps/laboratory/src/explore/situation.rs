//! The situations that a router is brought into.

use strum::VariantArray;

/// The situation that a router is brought into before the deed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, VariantArray)]
pub(crate) enum Situation {
    /// Nothing is done before.
    AsItIs,
    /// The place was visited.
    Visited,
    /// The place was visited, and its organization moved.
    Moved,
    /// The place was visited, its organization moved, and the replicas lag until the deed is done.
    MovedUnseen,
    /// The place was visited, and its entry's lifetime passed.
    Outlived,
    /// The place was visited, its entry was used within its lifetime, and the lifetime passed.
    OutlivedInUse,
    /// The place was visited, and then more places than the cache holds.
    Crowded,
    /// The place was visited, and its owner is down.
    OwnerDown,
    /// The place was visited, and the router's region is down.
    RegionDown,
    /// The owner resets or closes the connection once, instead of its response or within it.
    OwnerBreaks,
    /// The owner responds late.
    OwnerSlow,
    /// The place was visited, and the router was restarted.
    Restarted,
}

impl Situation {
    /// How often it is drawn.
    pub(super) fn weight(self) -> u32 {
        match self {
            Self::Visited => 5,
            Self::AsItIs => 4,
            Self::Moved | Self::OwnerDown => 2,
            _ => 1,
        }
    }

    /// Whether a cell does not respond, so that nothing can be held there.
    pub(crate) fn is_trouble(self) -> bool {
        matches!(self, Self::OwnerDown | Self::RegionDown | Self::OwnerBreaks)
    }

    /// Whether the place is one that moves with an organization.
    pub(crate) fn moves(self) -> bool {
        matches!(self, Self::Moved | Self::MovedUnseen)
    }
}
