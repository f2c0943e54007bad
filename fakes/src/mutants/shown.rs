//! Mutants that show only on a completely read page or across several visits: counters, one session
//! on several cells, a new password or token, a column of a table, the path of a write.

use super::mutant::{BOTH, CellMutant, LEARNING, mutant};
use super::mutation::Mutation::{
    CountersAtZero, CountersFromHome, NamesNobodyForWrites, NewPasswordKeepsSessions,
    NewTokenKnownHere, OneCiDatabase, OwnersBesideTheRoutes, PrimaryInEachRegion,
    SessionOfTheFirstCell, TodosFromHome,
};

pub(super) const MUTANTS: &[CellMutant] = &[
    mutant(
        CountersAtZero,
        "counters-at-zero",
        "OR-17",
        BOTH,
        "the counters at the top of each page are 0, also in the default organization",
    ),
    mutant(
        CountersFromHome,
        "counters-from-home",
        "OR-10",
        BOTH,
        "the counters on a page of another cell are read from the database of the user's own cell",
    ),
    mutant(
        TodosFromHome,
        "to-dos-from-home",
        "OR-12",
        BOTH,
        "the to-do counter on a page of another cell is that of the user's own cell",
    ),
    mutant(
        SessionOfTheFirstCell,
        "session-of-the-first-cell",
        "SE-01",
        BOTH,
        "a session is valid only on the first cell that receives it",
    ),
    mutant(
        NewPasswordKeepsSessions,
        "new-password-keeps-sessions",
        "SE-05",
        BOTH,
        "a new password does not end the user's other sessions",
    ),
    mutant(
        NewTokenKnownHere,
        "new-token-known-here",
        "DB-01",
        BOTH,
        "a new token is valid only on the cell that created it",
    ),
    mutant(
        OwnersBesideTheRoutes,
        "owners-beside-the-routes",
        "DB-02",
        BOTH,
        "the owners of routes are in a table of their own, and rows of `routes` have no `cell_id`",
    ),
    mutant(
        OneCiDatabase,
        "one-ci-database",
        "DB-04",
        BOTH,
        "all cells share one gitlab_ci, beside the shared databases",
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
        "only Cell US0 names the owner for methods other than GET; the others send 200 without one",
    ),
];
