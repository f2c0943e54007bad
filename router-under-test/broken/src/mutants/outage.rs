//! Both: cells that fail.

use crate::entry::{Mutant, both, learning};
use crate::kind::Mutation;

pub(crate) const TABLE: &[Mutant] = &[
    both(
        "tries-no-other-cell",
        "Z-16",
        Mutation::NoOtherCell,
        "a drawn cell that cannot be reached is not replaced by another",
    ),
    both(
        "one-dead-cell-blocks-all",
        "Z-16",
        Mutation::OneDeadCellBlocksAll,
        "after one cell could not be reached all requests are refused",
    ),
    both(
        "bans-cells-forever",
        "Z-16",
        Mutation::BansForever,
        "a cell that could not be reached once is never asked again",
    ),
    both(
        "leaves-the-region-too-soon",
        "Z-16",
        Mutation::LeavesTheRegion,
        "a drawn cell that cannot be reached is replaced by one of another region",
    ),
    both(
        "replaces-dead-owners",
        "Z-35",
        Mutation::ReplacesDeadOwners,
        "for an owner that cannot be reached any other cell is asked",
    ),
    both(
        "keeps-knocking",
        "Z-16",
        Mutation::KeepsKnocking,
        "a connection to an owner that refuses it is tried until it succeeds",
    ),
    both(
        "resends-after-a-reset",
        "Z-17",
        Mutation::ResendsAfterReset,
        "a request is sent again when its connection broke before the response",
    ),
    both(
        "resends-after-a-timeout",
        "Z-17",
        Mutation::ResendsAfterTimeout,
        "a request that was not responded in time is sent again",
    ),
    both(
        "resends-to-another-cell",
        "Z-17",
        Mutation::ResendsElsewhere,
        "a request that its cell did not respond is sent to the others",
    ),
    both(
        "resends-when-unavailable",
        "Z-17",
        Mutation::ResendsWhenUnavailable,
        "a request that received 503 is sent again",
    ),
    learning(
        "resends-after-half-an-response",
        "Z-17",
        Mutation::ResendsAfterHalfAnResponse,
        "a GET whose response broke off is sent again",
    ),
    both(
        "keeps-using-closed-connections",
        "Z-16",
        Mutation::UsesClosedConnections,
        "an idle connection is used without a look at whether the cell has closed it, and the request is refused",
    ),
];
