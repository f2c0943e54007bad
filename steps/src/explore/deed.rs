//! What a journey is put together from: a situation that a router is brought into, and what is then
//! done to it.

use serde::{Deserialize, Serialize};

/// The situation that a router is brought into before the deed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Situation {
    /// Nothing is done before.
    AsItIs,
    /// The place was visited.
    Visited,
    /// The place was visited, and its organization moved.
    Moved,
    /// The place was visited, and its entry's lifetime passed.
    Outlived,
    /// The place was visited, and then more places than the cache holds.
    Crowded,
    /// The place was visited, and its owner is down.
    OwnerDown,
    /// The place was visited, and the router was restarted.
    Restarted,
}

impl Situation {
    pub(crate) const ALL: [Self; 7] = [
        Self::AsItIs,
        Self::Visited,
        Self::Moved,
        Self::Outlived,
        Self::Crowded,
        Self::OwnerDown,
        Self::Restarted,
    ];
}

/// What is done.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Deed {
    /// The place is visited.
    Visit,
    /// A page below it is visited.
    VisitBelow,
    /// The same with a query.
    VisitWithQuery,
    /// A place whose name begins with the name of this one.
    VisitNeighbour,
    /// The same path in other letters.
    VisitOtherCase,
    /// The path in another spelling: escapes, doubled slashes, dot segments.
    VisitRespelt,
    /// A place above it.
    VisitAbove,
    /// The start page.
    VisitRoot,
    /// The page of the organization that moves.
    VisitOrganization,
    /// The sign-in page.
    VisitSignIn,
    /// A project by its id.
    VisitById,
    /// A path that looks like the learn path.
    VisitLearnLike,
    /// A path that nobody owns.
    VisitMissing,
    /// `HEAD`.
    Head,
    /// `DELETE`.
    Delete,
    /// `POST` with a small body.
    Post,
    /// `PUT` with a body as large as the limit of the buffer.
    PutAtLimit,
    /// `PUT` with a body one byte larger.
    PutAboveLimit,
    /// `POST` in chunks.
    PostInChunks,
    /// `PUT` in two halves.
    PutInHalves,
    /// A request with the two internal fields of cells.
    ForgeFields,
    /// Several visits at once.
    Together,
    /// A visit through the router of another region.
    OtherRouter,
    /// A visit whose response is held while the next deed happens.
    BeginHeld,
    /// A visit whose pre-flight is held while the next deed happens.
    BeginHeldPreflight,
    /// The organization moves.
    Move,
    /// A cell is restarted.
    RestartCell,
}

impl Deed {
    pub(crate) const ALL: [Self; 27] = [
        Self::Visit,
        Self::VisitBelow,
        Self::VisitWithQuery,
        Self::VisitNeighbour,
        Self::VisitOtherCase,
        Self::VisitRespelt,
        Self::VisitAbove,
        Self::VisitRoot,
        Self::VisitOrganization,
        Self::VisitSignIn,
        Self::VisitById,
        Self::VisitLearnLike,
        Self::VisitMissing,
        Self::Head,
        Self::Delete,
        Self::Post,
        Self::PutAtLimit,
        Self::PutAboveLimit,
        Self::PostInChunks,
        Self::PutInHalves,
        Self::ForgeFields,
        Self::Together,
        Self::OtherRouter,
        Self::BeginHeld,
        Self::BeginHeldPreflight,
        Self::Move,
        Self::RestartCell,
    ];
}
