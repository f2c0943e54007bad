//! Both: special treatment of pages.

use crate::entry::mutants;

mutants! {
    AsksAroundOn404: Both, "PR-01",
        "a 404 of the owner is read as a wrong route, and the request goes to the other cells";
    Own404Page: Both, "UN-08", "a cell's 404 is replaced by a page of the router";
    TellsHowItRouted: Both, "PR-03",
        "a field tells whether the cell was cached, so that a private path differs from a missing \
         one";
    ComputesOwnersFromIds: Both, "ID-02",
        "the owner of a project is its id modulo the number of cells";
    ServesGraphqlAnywhere: Both, "TD-05", "a path that ends in /graphql goes to any cell";
    DistrustsUnclaimedApiResponses: Buffering, "TD-04",
        "an API response without a cache header is dropped, and the next cell gets the request";
    DropsTheSignInQuery: Both, "LG-04", "the query of the sign-in page is removed";
    DecodesTheQuery: Both, "LG-04", "the query is forwarded decoded";
    ScopesCookiesToTheRegion: Buffering, "BF-13",
        "cookies are prefixed with the router's region and are invalid in another one";
}
