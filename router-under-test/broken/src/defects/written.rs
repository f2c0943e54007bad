//! What follows a write, and what follows a learn response that is too long.

use crate::catalog::{Defect, both, learning};
use crate::kind::Flaw;

pub(crate) const TABLE: &[Defect] = &[
    both(
        "reads-abroad-after-a-write",
        "Z-32",
        Flaw::ReadsAbroadAfterWrites,
        "after a write the reads go to cells of another region first, to spare those that write",
    ),
    learning(
        "remembers-cells-that-say-too-much",
        "Z-15",
        Flaw::RemembersLongAnswers,
        "a cell whose learn response is too long to be read is remembered for the place all the same",
    ),
];
