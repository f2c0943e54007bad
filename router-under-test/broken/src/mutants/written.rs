//! Reads after a write, and learn responses that are too long.

use crate::entry::{Mutant, both, learning};
use crate::kind::Mutation;

pub(crate) const TABLE: &[Mutant] = &[
    both(
        "reads-abroad-after-a-write",
        "Z-32",
        Mutation::ReadsAbroadAfterWrites,
        "reads after a write go to cells of another region first",
    ),
    learning(
        "remembers-cells-that-say-too-much",
        "Z-15",
        Mutation::RemembersLongResponses,
        "a cell is cached for the path although its learn response is too long",
    ),
];
