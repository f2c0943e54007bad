//! Whose a request is, and what a router is told about it.

use super::mutant::{BOTH, BUFFERING, CellMutant, LEARNING, mutant};
use super::mutation::Mutation::{
    ActsBeforeItLooks, BounceNamesTheId, BouncesToTheLegacyCell, BouncesWith307,
    CacheHeaderForUsersOnly, CacheHeaderOnA404, CacheHeaderOnTheRoot, EveryCellHasTheDashboard,
    FixedToWhoeverIsAsked, LearnOnTheLegacyCellOnly, LearnsForTheSignedIn, NamesOnlyItsOwn,
    NoCacheHeader, RegionsFirstCellForUs0,
};

pub(super) const MUTANTS: &[CellMutant] = &[
    mutant(
        ActsBeforeItLooks,
        "acts-before-it-looks",
        "RT-07",
        BOTH,
        "a cell does what is asked, and only then looks whose it is: it points to the owner after the side effect",
    ),
    mutant(
        BouncesWith307,
        "bounces-with-307",
        "BF-02",
        BUFFERING,
        "the header names the owner, but on a 307",
    ),
    mutant(
        BouncesToTheLegacyCell,
        "bounces-to-the-legacy-cell",
        "BF-02",
        BUFFERING,
        "a cell that does not own the target names Cell US0, whoever the owner is",
    ),
    mutant(
        BounceNamesTheId,
        "bounce-names-the-id",
        "BF-10",
        BUFFERING,
        "the redirect header spells the owner `cell_eu0`",
    ),
    mutant(
        NamesOnlyItsOwn,
        "names-only-its-own",
        "LN-08",
        LEARNING,
        "a cell can tell the owner only of what it owns itself",
    ),
    mutant(
        LearnOnTheLegacyCellOnly,
        "learn-on-the-legacy-cell-only",
        "LN-09",
        LEARNING,
        "only Cell US0 has a learn endpoint; on the others it is not found",
    ),
    mutant(
        FixedToWhoeverIsAsked,
        "fixed-to-whoever-is-asked",
        "LN-14",
        LEARNING,
        "for a path that is fixed to one cell, each cell names itself",
    ),
    mutant(
        LearnsForTheSignedIn,
        "learns-for-the-signed-in",
        "LN-23",
        LEARNING,
        "learn looks at the cookie: without a session there are no private places",
    ),
    mutant(
        NoCacheHeader,
        "no-cache-header",
        "CA-01",
        BUFFERING,
        "owners never say for which paths to remember them",
    ),
    mutant(
        CacheHeaderForUsersOnly,
        "cache-header-for-users-only",
        "CA-05",
        BUFFERING,
        "an owner leaves the cache header out on responses to visitors who are not signed in",
    ),
    mutant(
        CacheHeaderOnA404,
        "cache-header-on-a-404",
        "PR-02",
        BUFFERING,
        "the 404 for lack of permission has a cache header",
    ),
    mutant(
        CacheHeaderOnTheRoot,
        "cache-header-on-the-root",
        "BF-16",
        BUFFERING,
        "the response to `/` has a cache header for `/`",
    ),
    mutant(
        RegionsFirstCellForUs0,
        "regions-first-cell-for-us0",
        "GL-06",
        BOTH,
        "where a route fits several cells, cells name the first one of their own region",
    ),
    mutant(
        EveryCellHasTheDashboard,
        "every-cell-has-the-dashboard",
        "GL-05",
        BOTH,
        "each cell renders the global dashboard itself, and names itself for it",
    ),
];
