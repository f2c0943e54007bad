//! Both: mutations that send cells what no user asked for.

use crate::entry::{Mutant, both};
use crate::kind::Mutation;

pub(crate) const TABLE: &[Mutant] = &[
    both(
        "asks-for-the-length-ahead-of-ranges",
        "Z-75",
        Mutation::AsksForTheLength,
        "a HEAD of the router's own goes to the cell ahead of each range request",
    ),
    both(
        "pings-cells-ahead-of-ranges",
        "Z-75",
        Mutation::PingsAhead,
        "a line that is not HTTP goes to the cell ahead of each range request",
    ),
    both(
        "checks-conditions-ahead",
        "Z-75",
        Mutation::ChecksModified,
        "a HEAD of the router's own goes to the cell ahead of each conditional request",
    ),
    both(
        "prefetches-the-icon",
        "Z-75",
        Mutation::FetchesTheIcon,
        "ahead of a prefetch the router fetches the icon of the site for itself",
    ),
];
