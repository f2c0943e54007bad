//! Both: readings of the documents' drawings that are too literal.

use crate::entry::{Mutant, buffering, learning};
use crate::kind::Mutation;

pub(crate) const TABLE: &[Mutant] = &[
    buffering(
        "names-the-remembered-cell",
        "Z-37",
        Mutation::NamesTheRememberedCell,
        "a response that a cache entry led to names the cell in the redirect header",
    ),
    learning(
        "builds-ids-from-names",
        "LN-24",
        Mutation::BuildsIds,
        "a cell's id is derived from its name instead of read from the topology file",
    ),
    learning(
        "wants-its-pages-fixed",
        "LN-20",
        Mutation::OwnPagesMustBeFixed,
        "a learn response for the dashboard is used only if its source is fixed",
    ),
];
