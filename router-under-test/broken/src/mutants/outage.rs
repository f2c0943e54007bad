//! Both: cells that fail.

use crate::entry::{Mutant, both, buffering, learning};
use crate::kind::Mutation;

pub(crate) const TABLE: &[Mutant] = &[
    both(
        "tries-no-other-cell",
        "Z-16",
        Mutation::NoOtherCell,
        "no other cell is tried when the picked cell cannot be reached",
    ),
    both(
        "one-dead-cell-blocks-all",
        "Z-16",
        Mutation::OneDeadCellBlocksAll,
        "every request is refused once a cell could not be reached",
    ),
    both(
        "bans-cells-forever",
        "Z-16",
        Mutation::BansForever,
        "a cell that could not be reached once is never tried again",
    ),
    both(
        "leaves-the-region-too-soon",
        "Z-16",
        Mutation::LeavesTheRegion,
        "a picked cell that cannot be reached is replaced by one of another region first",
    ),
    both(
        "replaces-dead-owners",
        "Z-35",
        Mutation::ReplacesDeadOwners,
        "a request whose owner cannot be reached goes to another cell",
    ),
    buffering(
        "waits-for-dead-owners",
        "Z-81",
        Mutation::WaitsForDeadOwners,
        "an entry whose cell cannot be reached keeps its place from the new owner",
    ),
    both(
        "keeps-knocking",
        "Z-16",
        Mutation::KeepsKnocking,
        "a refused connection to the owner is retried without a limit",
    ),
    buffering(
        "resends-after-a-reset",
        "Z-17",
        Mutation::ResendsAfterReset,
        "a request that is not idempotent is resent when its connection broke before the response",
    ),
    learning(
        "resends-posts-after-a-reset",
        "LN-10",
        Mutation::ResendsAfterReset,
        "a request that is not idempotent is resent when its connection broke before the response",
    ),
    buffering(
        "resends-after-a-timeout",
        "Z-17",
        Mutation::ResendsAfterTimeout,
        "a request that is not idempotent is resent when it timed out",
    ),
    buffering(
        "resends-to-another-cell",
        "Z-17",
        Mutation::ResendsElsewhere,
        "a request that is not idempotent and has no response is resent to the other cells",
    ),
    buffering(
        "resends-when-unavailable",
        "Z-17",
        Mutation::ResendsWhenUnavailable,
        "a request that got 503 is resent",
    ),
    buffering(
        "resends-by-idempotency-key",
        "Z-17",
        Mutation::TrustsIdempotencyKeys,
        "a POST with an idempotency key is resent when its connection broke before the response",
    ),
    learning(
        "resends-by-idempotency-key-too",
        "LN-10",
        Mutation::TrustsIdempotencyKeys,
        "a POST with an idempotency key is resent when its connection broke before the response",
    ),
    learning(
        "resends-after-half-an-response",
        "LN-10",
        Mutation::ResendsAfterHalfAnResponse,
        "a GET whose response was truncated is resent",
    ),
    buffering(
        "resends-what-is-idempotent",
        "Z-52",
        Mutation::ResendsIdempotent,
        "an idempotent request is resent when its connection broke before the response",
    ),
    learning(
        "resends-idempotent-requests",
        "LN-25",
        Mutation::ResendsIdempotent,
        "an idempotent request is resent when its connection broke before the response",
    ),
    both(
        "keeps-using-closed-connections",
        "Z-16",
        Mutation::UsesClosedConnections,
        "an idle connection that the cell has closed is reused, and the request is refused",
    ),
];
