//! What shows only on a completely read page or across several visits: counters, one session on
//! several cells, a new password or token, a column of a table, the path of a write.

use crate::mutant::mutants;

mutants! {
    CountersAtZero: Both, "OR-17",
        "the counters at the top of each page are 0, also in the default organization";
    CountersFromHome: Both, "OR-10",
        "the counters on a page of another cell are read from the database of the user's own cell";
    ToDosFromHome: Both, "OR-12",
        "the to-do counter on a page of another cell is that of the user's own cell";
    SessionOfTheFirstCell: Both, "SE-01",
        "a session is valid only on the first cell that receives it";
    NewPasswordKeepsSessions: Both, "SE-05",
        "a new password does not end the user's other sessions";
    NewTokenKnownHere: Both, "DB-01", "a new token is valid only on the cell that created it";
    OwnersBesideTheRoutes: Both, "DB-02",
        "the owners of routes are in a table of their own, and rows of `routes` have no `cell_id`";
    OneCiDatabase: Both, "DB-04", "all cells share one gitlab_ci, beside the shared databases";
    PrimaryInEachRegion: Both, "RG-04",
        "each region has a primary of its own, which takes the writes of its cells";
    NamesNobodyForWrites: Learning, "LN-09",
        "only Cell US0 names the owner for methods other than GET; the others send 200 without one";
}
