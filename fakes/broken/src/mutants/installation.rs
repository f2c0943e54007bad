//! The installation as a whole: its cells, and whether one cell is enough.

use crate::mutant::mutants;

mutants! {
    LegacyCellKeepsItsRegion: Both, "RT-15",
        "cells treat Cell US0 as the owner of every namespace of its region";
    OneCellToARegion: Both, "RT-16", "the second cell of each region refuses everything with 503";
    AsksANeighbour: Both, "RT-17", "a cell asks the next one for a part of each page";
    LoneCellWithoutOrganizations: Both, "SC-01",
        "an installation of one cell has no pages of organizations";
    LoneCellWaitsForAService: Both, "SC-02",
        "the only cell responds with 503, since it lacks a service of larger installations";
    LoneCellPointsToItself: Both, "SC-03", "the only cell names itself in a redirect header";
}
