//! Both: special treatment of pages.

use crate::entry::{Mutant, both, buffering};
use crate::kind::Mutation;

pub(crate) const TABLE: &[Mutant] = &[
    both(
        "asks-around-on-404",
        "PR-01",
        Mutation::AsksAround,
        "a 404 of the owner is read as a wrong route, and the request goes to the other cells",
    ),
    both(
        "own-404-page",
        "UN-08",
        Mutation::Own404,
        "a cell's 404 is replaced by a page of the router",
    ),
    both(
        "tells-how-it-routed",
        "PR-03",
        Mutation::TellsHowItRouted,
        "a field tells whether the cell was cached, so that a private path differs from a missing \
         one",
    ),
    both(
        "computes-owners-from-ids",
        "ID-02",
        Mutation::IdModulo,
        "the owner of a project is its id modulo the number of cells",
    ),
    both(
        "serves-graphql-anywhere",
        "TD-05",
        Mutation::GraphqlAnywhere,
        "a path that ends in /graphql goes to any cell",
    ),
    buffering(
        "distrusts-unclaimed-api-responses",
        "TD-04",
        Mutation::DistrustsApi,
        "an API response without a cache header is dropped, and the next cell gets the request",
    ),
    both(
        "drops-the-sign-in-query",
        "LG-04",
        Mutation::DropsSignInQuery,
        "the query of the sign-in page is removed",
    ),
    both("decodes-the-query", "LG-04", Mutation::DecodesQuery, "the query is forwarded decoded"),
    buffering(
        "scopes-cookies-to-the-region",
        "BF-13",
        Mutation::ScopesCookies,
        "cookies are prefixed with the router's region and are invalid in another one",
    ),
];
