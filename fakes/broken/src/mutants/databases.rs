//! Databases: which one is read and written, and what is kept where.

use crate::mutant::mutants;

mutants! {
    ReadsFromThePrimary: Both, "RG-03", "all reads of shared databases go to the primary";
    ReadsAbroad: Both, "DB-05",
        "all reads of shared databases go to the replica in the primary's region";
    WritesInItsOwnRegion: Both, "RG-04", "a cell writes to the server of its own region";
    WritesEveryVisitDown: Both, "RG-05",
        "each page that a user reads is a write to the shared users";
    RefusesWhileReplicasLag: Both, "DB-06",
        "a cell whose replica is behind the primary refuses everything with 503";
    CopiesPublicProjects: Both, "DB-04",
        "every cell has a copy of each public project in its gitlab_main, and serves it";
    AdminSettingsPerCell: Both, "DB-03", "a cell keeps its admin settings in its own database";
    AdminSettingsOfTheStart: Both, "AD-08",
        "all cells except Cell US0 keep the admin settings that they were started with";
    AdminSettingsInTwoPlaces: Both, "AD-12",
        "each cell has admin settings of its own beside the common ones, as they were at its start";
}
