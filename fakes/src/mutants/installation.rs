//! Mutants of the installation as a whole: its cells, and whether one cell is enough.

use super::mutant::{BOTH, CellMutant, mutant};
use super::mutation::Mutation::{
    AsksANeighbour, LegacyCellKeepsItsRegion, LoneCellPointsToItself, LoneCellWaitsForAService,
    LoneCellWithoutOrganizations, OneCellToARegion,
};

pub(super) const MUTANTS: &[CellMutant] = &[
    mutant(
        LegacyCellKeepsItsRegion,
        "legacy-cell-keeps-its-region",
        "RT-15",
        BOTH,
        "cells treat Cell US0 as the owner of every namespace of its region",
    ),
    mutant(
        OneCellToARegion,
        "one-cell-to-a-region",
        "RT-16",
        BOTH,
        "the second cell of each region refuses everything with 503",
    ),
    mutant(
        AsksANeighbour,
        "asks-a-neighbour",
        "RT-17",
        BOTH,
        "a cell asks the next one for a part of each page",
    ),
    mutant(
        LoneCellWithoutOrganizations,
        "lone-cell-without-organizations",
        "SC-01",
        BOTH,
        "an installation of one cell has no pages of organizations",
    ),
    mutant(
        LoneCellWaitsForAService,
        "lone-cell-waits-for-a-service",
        "SC-02",
        BOTH,
        "the only cell responds with 503, since it lacks a service of larger installations",
    ),
    mutant(
        LoneCellPointsToItself,
        "lone-cell-points-to-itself",
        "SC-03",
        BOTH,
        "the only cell names itself in a redirect header",
    ),
];
