//! Both: the lifetime of an entry, and how a move is noticed.

use crate::entry::{Mutant, buffering, learning};
use crate::kind::Mutation;

pub(crate) const TABLE: &[Mutant] = &[
    learning("never-forgets", "LN-13", Mutation::NeverForgets, "entries never expire"),
    learning(
        "serves-stale-once",
        "TD-03",
        Mutation::StaleWhileRevalidate,
        "an expired entry is used once more before it is dropped",
    ),
    learning(
        "ttl-in-seconds",
        "CA-16",
        Mutation::TtlInSeconds,
        "the TTL is read as seconds instead of milliseconds",
    ),
    learning(
        "use-prolongs-entries",
        "Z-33",
        Mutation::Slides,
        "each use of an entry renews its TTL",
    ),
    buffering(
        "trusts-its-cache",
        "TD-01",
        Mutation::TrustsItsCache,
        "a bounce from a cached cell is refused",
    ),
    buffering(
        "learns-only-when-cold",
        "TD-02",
        Mutation::LearnsOnlyWhenCold,
        "cache headers are read only when no entry covered the request",
    ),
    learning(
        "sign-in-clears-the-cache",
        "LG-07",
        Mutation::SignInClears,
        "a sign-in empties the cache",
    ),
];
