//! Mutants of routing: the owner of a request, and what a router is told.

use super::mutant::{BOTH, BUFFERING, CellMutant, LEARNING, mutant};
use super::mutation::Mutation::{
    ActsBeforeItLooks, BounceNamesTheId, BouncesToTheLegacyCell, BouncesWith307,
    CacheHeaderForUsersOnly, CacheHeaderOnA404, CacheHeaderOnTheRoot, EveryCellHasTheDashboard,
    FixedToWhoeverIsAsked, LearnOnTheLegacyCellOnly, LearnsForTheSignedIn, NamesOnlyItsOwn,
    NoCacheHeader, OlderCellsNameNobody, RegionsFirstCellForUs0,
};

pub(super) const MUTANTS: &[CellMutant] = &[
    mutant(
        ActsBeforeItLooks,
        "acts-before-it-looks",
        "RT-07",
        BOTH,
        "a cell handles a request before it looks up the owner: it redirects after the side effect",
    ),
    mutant(
        BouncesWith307,
        "bounces-with-307",
        "BF-02",
        BUFFERING,
        "the redirect header is on a 307",
    ),
    mutant(
        BouncesToTheLegacyCell,
        "bounces-to-the-legacy-cell",
        "BF-02",
        BUFFERING,
        "a cell that does not own the target always names Cell US0",
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
        "the learn endpoint knows only the paths that the cell itself owns",
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
        "each cell names itself for a path that is fixed to one cell",
    ),
    mutant(
        LearnsForTheSignedIn,
        "learns-for-the-signed-in",
        "LN-23",
        LEARNING,
        "the learn endpoint reads the cookie: without a session it does not find private paths",
    ),
    mutant(
        NoCacheHeader,
        "no-cache-header",
        "CA-01",
        BUFFERING,
        "owners never send the cache header",
    ),
    mutant(
        CacheHeaderForUsersOnly,
        "cache-header-for-users-only",
        "CA-05",
        BUFFERING,
        "an owner omits the cache header on responses to signed-out visitors",
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
        "for a route of several cells, cells name the first one of their own region",
    ),
    mutant(
        EveryCellHasTheDashboard,
        "every-cell-has-the-dashboard",
        "GL-05",
        BOTH,
        "each cell serves the global dashboard itself, and names itself as its owner",
    ),
    mutant(
        OlderCellsNameNobody,
        "older-cells-name-nobody",
        "UN-05",
        LEARNING,
        "a cell that cannot decode a path responds 404 to a pre-flight about it",
    ),
];
