//! What shows only where a page is read to its end, or where more than one visit is compared:
//! counters, one session on several cells, a new password or token, a column of a table, the way of
//! a write.

use super::mutant::{BOTH, CellMutant, LEARNING, mutant};
use super::mutation::Mutation::{
    CountersAtZero, CountersFromHome, NamesNobodyForWrites, NewPasswordKeepsSessions,
    NewTokenKnownHere, OneCiDatabase, OwnersBesideTheRoutes, PrimaryInEachRegion,
    SessionOfTheFirstCell,
};

pub(super) const MUTANTS: &[CellMutant] = &[
    mutant(
        CountersAtZero,
        "counters-at-zero",
        "OR-17",
        BOTH,
        "the counters at the top of each page say 0, also at home",
    ),
    mutant(
        CountersFromHome,
        "counters-from-home",
        "OR-10",
        BOTH,
        "the counters on a page elsewhere are those of the user's own cell, fetched from its database",
    ),
    mutant(
        SessionOfTheFirstCell,
        "session-of-the-first-cell",
        "SE-01",
        BOTH,
        "a session counts only on the first cell to which it is shown",
    ),
    mutant(
        NewPasswordKeepsSessions,
        "new-password-keeps-sessions",
        "SE-05",
        BOTH,
        "a new password leaves the user's other sessions as they are",
    ),
    mutant(
        NewTokenKnownHere,
        "new-token-known-here",
        "DB-01",
        BOTH,
        "a new token counts only on the cell that made it",
    ),
    mutant(
        OwnersBesideTheRoutes,
        "owners-beside-the-routes",
        "DB-02",
        BOTH,
        "whose a route is stands in a table of its own, and the rows of `routes` have no `cell_id`",
    ),
    mutant(
        OneCiDatabase,
        "one-ci-database",
        "DB-04",
        BOTH,
        "all cells have one gitlab_ci in common, beside the shared databases",
    ),
    mutant(
        PrimaryInEachRegion,
        "primary-in-each-region",
        "RG-04",
        BOTH,
        "each region has a primary of its own, which takes the writes of its cells",
    ),
    mutant(
        NamesNobodyForWrites,
        "names-nobody-for-writes",
        "LN-09",
        LEARNING,
        "only Cell US0 names the owner for a method other than GET; the others response with 200 and no cell",
    ),
];
