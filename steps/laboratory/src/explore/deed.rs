//! What a journey is put together from: a situation that a router is brought into, and what is then
//! done to it.

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

/// What is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, VariantArray)]
pub(crate) enum Deed {
    /// The place is visited.
    Visit,
    /// A page below it is visited.
    VisitBelow,
    /// A page below it is visited with a query.
    VisitWithQuery,
    /// A place whose name begins with the name of this one, or differs in one byte.
    VisitNeighbor,
    /// The same path in other letters.
    VisitOtherCase,
    /// The path in another spelling: escapes, doubled slashes, dot segments.
    VisitRespelled,
    /// A place above it.
    VisitAbove,
    /// The start page.
    VisitRoot,
    /// The page of an organization.
    VisitOrganization,
    /// The sign-in page.
    VisitSignIn,
    /// A project by its id.
    VisitById,
    /// A project by its escaped path, through the API.
    VisitByPath,
    /// GraphQL, of the installation or of an organization.
    Graphql,
    /// An asset.
    VisitAsset,
    /// A page of the Admin Area.
    VisitAdmin,
    /// The learn path, or one that looks like it.
    VisitLearnLike,
    /// A path that nobody owns.
    VisitMissing,
    /// An endpoint that older versions redirect to the latest cell, and that to its owner.
    VisitNewEndpoint,
    /// A path that cells redirect in a circle.
    VisitCircle,
    /// `HEAD`.
    Head,
    /// `DELETE`.
    Delete,
    /// `OPTIONS`, `PATCH` and others without a body, one that nobody knows among them.
    OtherMethod,
    /// `POST` with a small body, or another method with one.
    Post,
    /// `PUT` with a body as large as the limit of the buffer, or one byte smaller.
    PutAtLimit,
    /// `PUT` with a body that is larger.
    PutAboveLimit,
    /// `POST` in chunks, small or around the limit.
    PostInChunks,
    /// `PUT` in two halves.
    PutInHalves,
    /// A request with the two internal fields of cells.
    ForgeFields,
    /// Somebody signs in, visits the place, and signs out.
    SignIn,
    /// Somebody creates a group by its form, and visits it.
    CreateGroup,
    /// A namespace comes into being, perhaps inside the place.
    CreateNamespace,
    /// A project comes into being.
    CreateProject,
    /// The place gets another path; perhaps another place takes the old one.
    Rename,
    /// Several visits at once.
    Together,
    /// A visit through the router of another region.
    OtherRouter,
    /// A visit whose response is held while the next deed happens.
    BeginHeld,
    /// A visit whose pre-flight is held while the next deed happens.
    BeginHeldPreflight,
    /// Several visits that are held, and released one after the other in some order.
    ReleaseInOrder,
    /// Somebody leaves while the response, or the pre-flight, is held.
    Leave,
    /// Somebody ends the connection within a body.
    LeaveInBody,
    /// The organization moves.
    Move,
    /// A cell is restarted.
    RestartCell,
    /// A walk among few places, each inside another or next to it; entries may expire meanwhile.
    Wander,
    /// Two places whose paths are nearly the same, in turn.
    VisitTwins,
    /// A page that covers nothing, and paths that are nearly its own, each twice.
    VisitExact,
    /// A page of the application itself twice, perhaps with a query.
    VisitFixed,
    /// The start page, or another that every cell serves, so often that each cell has its turn.
    VisitOften,
    /// A place is first visited by another method or below a page that is missing, then read.
    FirstByOther,
    /// The place is visited by a browser, with a token, and by another browser.
    WithToken,
    /// A form as browsers send it.
    PostForm,
    /// A body that is longer than what is often kept in one piece.
    PutLarge,
    /// Something happens while a visit is held that was begun before.
    WhileHeld,
    /// The lifetime of entries passes.
    PassTime,
    /// The place is visited with the fields of a client, each with its own value.
    ClientFields,
    /// A body that is sent when the router asks for it (`Expect: 100-continue`).
    ExpectContinue,
    /// Several people, one of them without a session, speak on one connection.
    ShareConnection,
    /// Several people send bodies that are under way at once.
    UploadTogether,
    /// A few requests of the features that users write byte for byte.
    ByHand,
    /// A cell breaks off, or writes byte for byte, in place of its response.
    CellByHand,
    /// Ranges, conditions and methods, and cells that have a response for them.
    AskForParts,
    /// Cells say what they say in other forms, or something else than the documents draw.
    OddForms,
}

impl Deed {
    /// How often it is drawn: what has many forms is drawn more often.
    pub(super) fn weight(self) -> u32 {
        match self {
            Self::ByHand | Self::OddForms => 14,
            Self::Wander => 8,
            Self::VisitTwins | Self::CellByHand => 6,
            Self::AskForParts => 5,
            Self::Visit
            | Self::VisitExact
            | Self::WhileHeld
            | Self::ClientFields
            | Self::ShareConnection => 4,
            Self::VisitBelow
            | Self::VisitById
            | Self::VisitFixed
            | Self::FirstByOther
            | Self::UploadTogether => 3,
            Self::VisitNeighbor
            | Self::VisitAbove
            | Self::VisitOrganization
            | Self::OtherMethod
            | Self::Post
            | Self::CreateNamespace
            | Self::Rename
            | Self::Move
            | Self::WithToken
            | Self::PutLarge
            | Self::ExpectContinue => 2,
            _ => 1,
        }
    }
}
