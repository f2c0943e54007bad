//! Mutants of the databases: which one is read and written, and what is kept where.

use super::mutant::{BOTH, CellMutant, mutant};
use super::mutation::Mutation::{
    AdminSettingsInTwoPlaces, AdminSettingsOfTheStart, AdminSettingsPerCell, CopiesPublicProjects,
    ReadsAbroad, ReadsFromThePrimary, RefusesWhileReplicasLag, WritesEveryVisitDown,
    WritesInItsOwnRegion,
};

pub(super) const MUTANTS: &[CellMutant] = &[
    mutant(
        ReadsFromThePrimary,
        "reads-from-the-primary",
        "RG-03",
        BOTH,
        "all reads of shared databases go to the primary",
    ),
    mutant(
        ReadsAbroad,
        "reads-abroad",
        "DB-05",
        BOTH,
        "all reads of shared databases go to the replica in the primary's region",
    ),
    mutant(
        WritesInItsOwnRegion,
        "writes-in-its-own-region",
        "RG-04",
        BOTH,
        "a cell writes to the server of its own region",
    ),
    mutant(
        WritesEveryVisitDown,
        "writes-every-visit-down",
        "RG-05",
        BOTH,
        "each page that a user reads is a write to the shared users",
    ),
    mutant(
        RefusesWhileReplicasLag,
        "refuses-while-replicas-lag",
        "DB-06",
        BOTH,
        "a cell whose replica is behind the primary refuses everything with 503",
    ),
    mutant(
        CopiesPublicProjects,
        "copies-public-projects",
        "DB-04",
        BOTH,
        "every cell has a copy of each public project in its gitlab_main, and serves it",
    ),
    mutant(
        AdminSettingsPerCell,
        "admin-settings-per-cell",
        "DB-03",
        BOTH,
        "a cell keeps its admin settings in its own database",
    ),
    mutant(
        AdminSettingsOfTheStart,
        "admin-settings-of-the-start",
        "AD-08",
        BOTH,
        "all cells except Cell US0 keep the admin settings that they were started with",
    ),
    mutant(
        AdminSettingsInTwoPlaces,
        "admin-settings-in-two-places",
        "AD-12",
        BOTH,
        "each cell has admin settings of its own beside the common ones, as they were at its start",
    ),
];
