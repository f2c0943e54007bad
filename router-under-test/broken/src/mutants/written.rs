//! What follows a write, and what follows a learn response that is too long.

use crate::entry::{Mutant, both, learning};
use crate::kind::Mutation;

pub(crate) const TABLE: &[Mutant] = &[
    both(
        "reads-abroad-after-a-write",
        "Z-32",
        Mutation::ReadsAbroadAfterWrites,
        "after a write the reads go to cells of another region first, to spare those that write",
    ),
    learning(
        "remembers-cells-that-say-too-much",
        "Z-15",
        Mutation::RemembersLongResponses,
        "a cell is remembered for the path although its learn response is too long to read",
    ),
];
