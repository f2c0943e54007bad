//! Both: responses of cells, and the fields that tell a cell about the user.

use crate::entry::{Mutant, both};
use crate::kind::Mutation;

pub(crate) const TABLE: &[Mutant] = &[
    both(
        "passes-malformed-responses-on",
        "Z-48",
        Mutation::PassesMalformedOn,
        "an invalid response is forwarded byte for byte",
    ),
    both(
        "takes-garbage-for-200",
        "Z-48",
        Mutation::TakesGarbageFor200,
        "an invalid response becomes the body of a 200",
    ),
    both(
        "takes-the-first-length",
        "Z-49",
        Mutation::TakesFirstLength,
        "of two Content-Length fields of a response the first counts",
    ),
    both(
        "takes-the-last-length",
        "Z-49",
        Mutation::TakesLastLength,
        "of two Content-Length fields of a response the last counts",
    ),
    both(
        "ignores-ranges",
        "Z-51",
        Mutation::IgnoresRanges,
        "Range is removed, so that the user gets the whole content",
    ),
    both(
        "drops-validators",
        "Z-51",
        Mutation::DropsValidators,
        "conditions of a request are removed",
    ),
    both("turns-206-into-200", "Z-51", Mutation::Turns206Into200, "a 206 becomes a 200"),
    both("turns-304-into-200", "Z-51", Mutation::Turns304Into200, "a 304 becomes an empty 200"),
    both(
        "marks-cache-hits",
        "Z-27",
        Mutation::MarksCacheHits,
        "a field tells whether the cell came from the cache, even on a 404",
    ),
    both(
        "sleeps-on-warm-requests",
        "Z-29",
        Mutation::SleepsOnWarm,
        "a request with a cache entry is delayed by two seconds",
    ),
    both(
        "delays-404s-far-longer",
        "Z-80",
        Mutation::DelaysFarLonger,
        "a 404 is delayed by twenty times the configured limit",
    )
    .claiming("not-found-delay"),
    both(
        "accepts-any-host",
        "Z-62",
        Mutation::AcceptsAnyHost,
        "a request with no Host or several is accepted",
    ),
    both(
        "trusts-x-forwarded-host",
        "Z-26",
        Mutation::TrustsForwardedHost,
        "the public host is read from the user's X-Forwarded-Host",
    ),
    both(
        "trusts-x-forwarded-proto",
        "Z-26",
        Mutation::TrustsForwardedProto,
        "the public scheme is read from the user's X-Forwarded-Proto",
    ),
    both(
        "strips-what-users-name",
        "Z-26",
        Mutation::StripsWhatUsersName,
        "a user can remove the router's X-Forwarded-Host by naming it in Connection",
    ),
    both(
        "passes-a-cells-location-on",
        "Z-26",
        Mutation::PassesCellLocations,
        "a Location with the address of a cell reaches the user",
    ),
];
