//! Mutants of settings that differ from cell to cell.

use super::mutant::{BOTH, CellMutant, mutant};
use super::mutation::Mutation::{
    CellSettingsKnownWhereWritten, CellSettingsWrittenForAll, NoRowNoValue,
    SettingsListedForOneCell, TemplatesFilledAsOnTheLegacyCell, TemplatesNotFilled,
};

pub(super) const MUTANTS: &[CellMutant] = &[
    mutant(
        TemplatesNotFilled,
        "templates-not-filled",
        "AD-10",
        BOTH,
        "a cell uses the template of a setting as it is written",
    ),
    mutant(
        TemplatesFilledAsOnTheLegacyCell,
        "templates-filled-as-on-the-legacy-cell",
        "AD-10",
        BOTH,
        "each cell fills in a template as Cell US0 does",
    ),
    mutant(
        CellSettingsKnownWhereWritten,
        "cell-settings-known-where-written",
        "AD-11",
        BOTH,
        "the row of a cell is seen by the cell alone on which it was written",
    ),
    mutant(
        CellSettingsWrittenForAll,
        "cell-settings-written-for-all",
        "AD-11",
        BOTH,
        "a setting of one cell is written into the row of all cells",
    ),
    mutant(
        NoRowNoValue,
        "no-row-no-value",
        "AD-11",
        BOTH,
        "a cell without a row has empty settings once another cell has a row",
    ),
    mutant(
        SettingsListedForOneCell,
        "settings-listed-for-one-cell",
        "AD-12",
        BOTH,
        "an admin page lists what its own cell uses, and nothing of the others",
    ),
];
