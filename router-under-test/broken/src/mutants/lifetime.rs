//! Both: how long an entry is believed, and how a move is noticed.

use crate::entry::{Mutant, buffering, learning};
use crate::kind::Mutation;

pub(crate) const TABLE: &[Mutant] = &[
    learning("never-forgets", "LN-13", Mutation::NeverForgets, "entries have no end"),
    learning(
        "serves-stale-once",
        "TD-03",
        Mutation::StaleWhileRevalidate,
        "an entry that ended is used once more before it is dropped",
    ),
    learning(
        "ttl-in-seconds",
        "CA-16",
        Mutation::TtlInSeconds,
        "the time to live is read as seconds instead of milliseconds",
    ),
    learning(
        "use-prolongs-entries",
        "Z-33",
        Mutation::Slides,
        "each use of an entry starts its time anew",
    ),
    buffering(
        "trusts-its-cache",
        "TD-01",
        Mutation::TrustsItsCache,
        "a bounce from a remembered cell is refused as a contradiction",
    ),
    buffering(
        "learns-only-when-cold",
        "TD-02",
        Mutation::LearnsOnlyWhenCold,
        "cache headers are read only on requests for which nothing was remembered",
    ),
    learning(
        "sign-in-clears-the-cache",
        "LG-07",
        Mutation::SignInClears,
        "a sign-in empties the cache, as if entries belonged to the session",
    ),
];
