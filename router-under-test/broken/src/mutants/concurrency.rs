//! Both: concurrent requests.

use crate::entry::{Mutant, both, buffering, learning};
use crate::kind::Mutation;

pub(crate) const TABLE: &[Mutant] = &[
    both(
        "one-slot-for-all-requests",
        "RT-08",
        Mutation::SharedRequest,
        "the current request is kept in a shared field, where the next one overwrites it",
    ),
    buffering(
        "one-body-for-all-requests",
        "BF-04",
        Mutation::SharedBody,
        "the body is kept in a shared field, so that a request is resent with the last one that \
         came",
    ),
    both(
        "one-limit-for-all-cells",
        "Z-91",
        Mutation::OneLimitForAllCells,
        "64 requests may be under way, whichever cells they wait for",
    ),
    both(
        "keeps-places-of-users-who-left",
        "Z-92",
        Mutation::KeepsPlacesOfLeavers,
        "a cell takes 64 requests at once, also of users who have gone in the meantime",
    ),
    both(
        "closes-connections-of-others",
        "Z-66",
        Mutation::LeaversEndOthers,
        "a user who leaves ends the connection to a cell on which others wait as well",
    ),
    learning(
        "abandons-those-who-wait",
        "Z-66",
        Mutation::AbandonsFollowers,
        "requests that wait for a pre-flight wait for ever if the user whose request sent it leaves",
    ),
    learning(
        "refuses-while-learning",
        "LN-18",
        Mutation::RefusesWhileLearning,
        "a request is refused while a pre-flight for its path is in flight",
    ),
    learning(
        "joins-pre-flights-by-top-level",
        "RT-14",
        Mutation::JoinsByTopLevel,
        "a request waits for any pre-flight in flight under its first segment and uses its \
         response",
    ),
];
