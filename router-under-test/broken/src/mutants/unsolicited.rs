//! Both: mutations that send cells what no user asked for.

use crate::entry::mutants;

mutants! {
    AsksForTheLengthAheadOfRanges: Both, "Z-75",
        "a HEAD of the router's own goes to the cell ahead of each range request";
    PingsCellsAheadOfRanges: Both, "Z-75",
        "a line that is not HTTP goes to the cell ahead of each range request";
    ChecksConditionsAhead: Both, "Z-75",
        "a HEAD of the router's own goes to the cell ahead of each conditional request";
    PrefetchesTheIcon: Both, "Z-75",
        "ahead of a prefetch the router fetches the icon of the site for itself";
}
