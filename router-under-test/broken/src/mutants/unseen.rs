//! Both: mutations that show neither in one request nor in the choice of cells.

use crate::entry::{Mutant, both, buffering, learning};
use crate::kind::Mutation;

pub(crate) const TABLE: &[Mutant] = &[
    both(
        "names-other-cells-when-it-refuses",
        "Z-58",
        Mutation::RefusalNamesOthers,
        "the page of a refusal lists cells that got no request, in all their spellings",
    ),
    both(
        "prints-the-address-when-it-refuses",
        "Z-58",
        Mutation::RefusalPrintsAddress,
        "the page of a refusal names the address that could not be reached",
    ),
    both(
        "tells-the-upstream-address",
        "RT-12",
        Mutation::TellsUpstreamAddress,
        "a field of each response has the address of the cell that sent it",
    ),
    buffering(
        "leaves-out-the-third-cell",
        "BF-11",
        Mutation::NeverAsksTheThird,
        "the random pick is made between the first two cells",
    ),
    learning(
        "never-pre-flights-the-third-cell",
        "LN-17",
        Mutation::NeverAsksTheThird,
        "the random pick is made between the first two cells",
    ),
    both("claims-a-delay-and-has-none", "Z-80", Mutation::NeverDelays, "a 404 is not delayed")
        .claiming("not-found-delay"),
    both("adds-50-ms-to-warm-requests", "Z-29", Mutation::SlowLookup, "a cache lookup takes 50 ms"),
    buffering(
        "stays-with-the-latest-cell",
        "UN-02",
        Mutation::StaysWithTheLatest,
        "after a bounce to the latest cell, that cell gets every request without a cache entry",
    ),
    learning(
        "counts-from-the-question",
        "Z-33",
        Mutation::CountsFromTheQuestion,
        "the TTL of an entry begins when the pre-flight is sent",
    ),
    both(
        "serves-suggestions-itself",
        "TD-07",
        Mutation::ResponsesSuggestions,
        "the router responds to search suggestions with an empty list",
    ),
    both(
        "searches-every-cell",
        "TD-08",
        Mutation::SearchesEverywhere,
        "a global search goes to each cell of the installation",
    ),
    learning(
        "turns-waiters-away",
        "Z-28",
        Mutation::TurnsWaitersAway,
        "a single-flight waiter is told to retry",
    ),
    both(
        "joins-lines-with-semicolons",
        "Z-46",
        Mutation::JoinsWithSemicolons,
        "field lines of one name are joined with semicolons",
    ),
];
