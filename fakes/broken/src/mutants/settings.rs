//! Settings that differ from cell to cell.

use crate::mutant::mutants;

mutants! {
    TemplatesNotFilled: Both, "AD-10", "a cell uses the template of a setting as it is written";
    TemplatesFilledAsOnTheLegacyCell: Both, "AD-10",
        "each cell fills in a template as Cell US0 does";
    CellSettingsKnownWhereWritten: Both, "AD-11",
        "the row of a cell is seen by the cell alone on which it was written";
    CellSettingsWrittenForAll: Both, "AD-11",
        "a setting of one cell is written into the row of all cells";
    NoRowNoValue: Both, "AD-11",
        "a cell without a row has empty settings once another cell has a row";
    SettingsListedForOneCell: Both, "AD-12",
        "an admin page lists what its own cell uses, and nothing of the others";
}
