//! Which database is read and written, and what is kept where.

use super::kind::Flaw::{
    AdminSettingsInTwoPlaces, AdminSettingsOfTheStart, AdminSettingsPerCell, CopiesPublicProjects, ReadsAbroad, ReadsFromThePrimary,
    RefusesWhileReplicasLag, WritesEveryVisitDown, WritesInItsOwnRegion,
};
use super::{BOTH, CellFlaw, flaw};

pub(super) const FLAWS: &[CellFlaw] = &[
    flaw(ReadsFromThePrimary, "reads-from-the-primary", "RG-03", BOTH, "all reads of shared databases go to the primary"),
    flaw(ReadsAbroad, "reads-abroad", "DB-05", BOTH, "all reads of shared databases go to the replica in the primary's region"),
    flaw(WritesInItsOwnRegion, "writes-in-its-own-region", "RG-04", BOTH, "a cell writes to the server of its own region"),
    flaw(WritesEveryVisitDown, "writes-every-visit-down", "RG-05", BOTH, "each page that a user reads is a write to the shared users"),
    flaw(
        RefusesWhileReplicasLag,
        "refuses-while-replicas-lag",
        "DB-06",
        BOTH,
        "a cell whose replica is behind the primary refuses everything with 503",
    ),
    flaw(
        CopiesPublicProjects,
        "copies-public-projects",
        "DB-04",
        BOTH,
        "every cell has a copy of each public project in its gitlab_main, and serves it",
    ),
    flaw(AdminSettingsPerCell, "admin-settings-per-cell", "DB-03", BOTH, "a cell keeps its admin settings in its own database"),
    flaw(
        AdminSettingsOfTheStart,
        "admin-settings-of-the-start",
        "AD-08",
        BOTH,
        "cells beside Cell US0 keep to the admin settings with which they were started",
    ),
    flaw(
        AdminSettingsInTwoPlaces,
        "admin-settings-in-two-places",
        "AD-12",
        BOTH,
        "beside the common admin settings there are the cell's own, as they were at its start",
    ),
];
