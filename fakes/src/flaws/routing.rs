//! Whose a request is, and what a router is told about it.

use super::kind::Flaw::{
    ActsBeforeItLooks, BounceNamesTheId, BouncesToTheLegacyCell, BouncesWith307, CacheHeaderForUsersOnly, CacheHeaderOnA404,
    CacheHeaderOnTheRoot, EveryCellHasTheDashboard, FixedToWhoeverIsAsked, LearnOnTheLegacyCellOnly, LearnsForTheSignedIn, NamesOnlyItsOwn,
    NoCacheHeader, RegionsFirstCellForUs0,
};
use super::{BOTH, BUFFERING, CellFlaw, LEARNING, flaw};

pub(super) const FLAWS: &[CellFlaw] = &[
    flaw(
        ActsBeforeItLooks,
        "acts-before-it-looks",
        "RT-07",
        BOTH,
        "a cell does what is asked, and only then looks whose it is: it points to the owner after the side effect",
    ),
    flaw(BouncesWith307, "bounces-with-307", "BF-02", BUFFERING, "the header names the owner, but on a 307"),
    flaw(
        BouncesToTheLegacyCell,
        "bounces-to-the-legacy-cell",
        "BF-02",
        BUFFERING,
        "a cell that does not own the target names Cell US0, whoever the owner is",
    ),
    flaw(BounceNamesTheId, "bounce-names-the-id", "BF-10", BUFFERING, "the redirect header spells the owner `cell_eu0`"),
    flaw(NamesOnlyItsOwn, "names-only-its-own", "LN-08", LEARNING, "a cell can tell the owner only of what it owns itself"),
    flaw(
        LearnOnTheLegacyCellOnly,
        "learn-on-the-legacy-cell-only",
        "LN-09",
        LEARNING,
        "only Cell US0 has a learn endpoint; on the others it is not found",
    ),
    flaw(
        FixedToWhoeverIsAsked,
        "fixed-to-whoever-is-asked",
        "LN-14",
        LEARNING,
        "for a path that is fixed to one cell, each cell names itself",
    ),
    flaw(
        LearnsForTheSignedIn,
        "learns-for-the-signed-in",
        "LN-23",
        LEARNING,
        "learn looks at the cookie: without a session there are no private places",
    ),
    flaw(NoCacheHeader, "no-cache-header", "CA-01", BUFFERING, "owners never say for which paths to remember them"),
    flaw(
        CacheHeaderForUsersOnly,
        "cache-header-for-users-only",
        "CA-05",
        BUFFERING,
        "an owner leaves the cache header out on answers to visitors who are not signed in",
    ),
    flaw(CacheHeaderOnA404, "cache-header-on-a-404", "PR-02", BUFFERING, "the 404 for lack of permission has a cache header"),
    flaw(CacheHeaderOnTheRoot, "cache-header-on-the-root", "BF-16", BUFFERING, "the answer to `/` has a cache header for `/`"),
    flaw(
        RegionsFirstCellForUs0,
        "regions-first-cell-for-us0",
        "GL-06",
        BOTH,
        "where a route fits several cells, cells name the first one of their own region",
    ),
    flaw(
        EveryCellHasTheDashboard,
        "every-cell-has-the-dashboard",
        "GL-05",
        BOTH,
        "each cell renders the global dashboard itself, and names itself for it",
    ),
];
