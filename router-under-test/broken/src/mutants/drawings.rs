//! Both: readings of the documents' drawings that are too literal.

use crate::entry::mutants;

mutants! {
    NamesTheRememberedCell: Buffering, "Z-37",
        "a response that a cache entry led to names the cell in the redirect header";
    BuildsIdsFromNames: Learning, "LN-24",
        "a cell's id is derived from its name instead of read from the topology file";
    WantsItsPagesFixed: Learning, "LN-20",
        "a learn response for the dashboard is used only if its source is fixed";
}
