//! The owner of a request, and what a router is told.

use crate::mutant::mutants;

mutants! {
    ActsBeforeItLooks: Both, "RT-07",
        "a cell handles a request before it looks up the owner: it redirects after the side effect";
    BouncesWith307: Buffering, "BF-02", "the redirect header is on a 307";
    BouncesToTheLegacyCell: Buffering, "BF-02",
        "a cell that does not own the target always names Cell US0";
    BounceNamesTheId: Buffering, "BF-10", "the redirect header spells the owner `cell_eu0`";
    NamesOnlyItsOwn: Learning, "LN-08",
        "the learn endpoint knows only the paths that the cell itself owns";
    LearnOnTheLegacyCellOnly: Learning, "LN-09",
        "only Cell US0 has a learn endpoint; on the others it is not found";
    FixedToWhoeverIsAsked: Learning, "LN-14",
        "each cell names itself for a path that is fixed to one cell";
    LearnsForTheSignedIn: Learning, "LN-23",
        "the learn endpoint reads the cookie: without a session it does not find private paths";
    NoCacheHeader: Buffering, "CA-01", "owners never send the cache header";
    CacheHeaderForUsersOnly: Buffering, "CA-05",
        "an owner omits the cache header on responses to signed-out visitors";
    CacheHeaderOnA404: Buffering, "PR-02", "the 404 for lack of permission has a cache header";
    CacheHeaderOnTheRoot: Buffering, "BF-16", "the response to `/` has a cache header for `/`";
    RegionsFirstCellForUs0: Both, "GL-06",
        "for a route of several cells, cells name the first one of their own region";
    EveryCellHasTheDashboard: Both, "GL-05",
        "each cell serves the global dashboard itself, and names itself as its owner";
    OlderCellsNameNobody: Learning, "UN-05",
        "a cell that cannot decode a path responds 404 to a pre-flight about it";
}
