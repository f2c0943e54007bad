//! Mutants of a move with all its data.

use super::mutant::{BOTH, CellMutant, mutant};
use super::mutation::Mutation::{
    BothCellsTakeWrites, CleansUpEarly, CopiesOnce, FrozenForReads, FrozenWithoutRetryAfter,
    HalfDonePhasesCount, LeavesBranchesBehind, LeavesRedisBehind, LeavesTheIndexBehind,
    MovesWithoutFreeze, TakenBackStaysFrozen,
};

pub(super) const MUTANTS: &[CellMutant] = &[
    mutant(
        CopiesOnce,
        "copies-once",
        "MV-01",
        BOTH,
        "what is written after the first copy is not copied any more",
    ),
    mutant(
        MovesWithoutFreeze,
        "moves-without-freeze",
        "MV-03",
        BOTH,
        "the old cell takes writes until the routes name the new one",
    ),
    mutant(
        FrozenWithoutRetryAfter,
        "frozen-without-retry-after",
        "MV-03",
        BOTH,
        "a write in the frozen moment gets a 503 that does not say when to try again",
    ),
    mutant(
        FrozenForReads,
        "frozen-for-reads",
        "MV-02",
        BOTH,
        "the old cell refuses reads as well while it is frozen",
    ),
    mutant(
        BothCellsTakeWrites,
        "both-cells-take-writes",
        "MV-06",
        BOTH,
        "the old cell thaws with the new one, and takes writes where its replica lags",
    ),
    mutant(
        CleansUpEarly,
        "cleans-up-early",
        "MV-02",
        BOTH,
        "the old cell drops its rows while replicas still name it",
    ),
    mutant(
        LeavesRedisBehind,
        "leaves-redis-behind",
        "MV-04",
        BOTH,
        "a move leaves the state in Redis behind",
    ),
    mutant(
        LeavesBranchesBehind,
        "leaves-branches-behind",
        "MV-04",
        BOTH,
        "a move leaves the branches of Git repositories behind",
    ),
    mutant(
        LeavesTheIndexBehind,
        "leaves-the-index-behind",
        "MV-04",
        BOTH,
        "a move leaves the search index behind",
    ),
    mutant(
        HalfDonePhasesCount,
        "half-done-phases-count",
        "MV-05",
        BOTH,
        "a phase in which the mover died counts as done when it is run again",
    ),
    mutant(
        TakenBackStaysFrozen,
        "taken-back-stays-frozen",
        "MV-05",
        BOTH,
        "a move that is taken back leaves the old cell frozen",
    ),
];
