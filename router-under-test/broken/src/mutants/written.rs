//! Reads after a write, and learn responses that are too long.

use crate::entry::mutants;

mutants! {
    ReadsAbroadAfterAWrite: Both, "Z-32", "reads after a write go to cells of another region first";
    RemembersCellsThatSayTooMuch: Learning, "Z-15",
        "a cell is cached for the path although its learn response is too long";
}
