//! What the documents draw, to the letter.

use crate::entry::{Mutant, buffering, learning};
use crate::kind::Mutation;

pub(crate) const TABLE: &[Mutant] = &[
    buffering(
        "names-the-remembered-cell",
        "RT-12",
        Mutation::NamesTheRememberedCell,
        "a page to which an entry led says which cell that was, in the redirect field",
    ),
    learning(
        "builds-ids-from-names",
        "LN-24",
        Mutation::BuildsIds,
        "a cell's id is made of its name, Cell US0 being cell_us0, instead of being read from the topology file",
    ),
    learning(
        "wants-its-pages-fixed",
        "LN-20",
        Mutation::OwnPagesMustBeFixed,
        "for the dashboard a learn response is believed only if its source is fixed",
    ),
];
