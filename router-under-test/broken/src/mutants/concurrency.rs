//! Both: requests at the same time.

use crate::entry::{Mutant, both, learning};
use crate::kind::Mutation;

pub(crate) const TABLE: &[Mutant] = &[
    both(
        "one-slot-for-all-requests",
        "RT-08",
        Mutation::SharedRequest,
        "the request at hand is kept in a field of the router, where the next one overwrites it",
    ),
    learning(
        "refuses-while-learning",
        "LN-18",
        Mutation::RefusesWhileLearning,
        "a request for a path that is just being asked for is refused instead of waiting",
    ),
    learning(
        "joins-pre-flights-by-top-level",
        "RT-14",
        Mutation::JoinsByTopLevel,
        "a request waits for any open pre-flight under the same first segment and takes its response",
    ),
];
