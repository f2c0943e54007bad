//! Both: mistakes that show neither in one request nor in the cells that were asked.

use crate::entry::{Mutant, both, buffering, learning};
use crate::kind::Mutation;

pub(crate) const TABLE: &[Mutant] = &[
    both(
        "names-other-cells-when-it-refuses",
        "Z-58",
        Mutation::RefusalNamesOthers,
        "the page of a refusal lists cells that were not asked, in all their spellings",
    ),
    both(
        "prints-the-address-when-it-refuses",
        "Z-58",
        Mutation::RefusalPrintsAddress,
        "the page of a refusal says to which address no connection could be made",
    ),
    both(
        "tells-the-upstream-address",
        "RT-12",
        Mutation::TellsUpstreamAddress,
        "a field of each response has the address of the cell that gave it",
    ),
    buffering(
        "leaves-out-the-third-cell",
        "BF-11",
        Mutation::NeverAsksTheThird,
        "the random choice is made between the first two cells",
    ),
    learning(
        "never-pre-flights-the-third-cell",
        "LN-17",
        Mutation::NeverAsksTheThird,
        "the random choice is made between the first two cells",
    ),
    both(
        "claims-a-delay-and-has-none",
        "Z-80",
        Mutation::NeverDelays,
        "a 404 is delayed by the configured bound, read in the wrong unit: not at all",
    )
    .claiming("not-found-delay"),
    both(
        "adds-50-ms-to-warm-requests",
        "Z-29",
        Mutation::SlowLookup,
        "looking an entry up takes 50 ms",
    ),
    buffering(
        "stays-with-the-latest-cell",
        "UN-02",
        Mutation::StaysWithTheLatest,
        "once a cell has sent it to the latest one, that one gets everything that is not remembered",
    ),
    learning(
        "counts-from-the-question",
        "Z-33",
        Mutation::CountsFromTheQuestion,
        "an entry's time begins when the pre-flight leaves",
    ),
    both(
        "serves-suggestions-itself",
        "TD-07",
        Mutation::ResponsesSuggestions,
        "the search bar gets an empty list from the router, to spare the cells",
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
        "lines of one name are joined as if all of them were cookies",
    ),
];
