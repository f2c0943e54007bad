//! Both: what a cell responds, and what it is told of the user.

use crate::entry::{Mutant, both};
use crate::kind::Mutation;

pub(crate) const TABLE: &[Mutant] = &[
    both(
        "passes-malformed-responses-on",
        "Z-48",
        Mutation::PassesMalformedOn,
        "what cannot be read is given to the user byte for byte",
    ),
    both(
        "takes-garbage-for-200",
        "Z-48",
        Mutation::TakesGarbageFor200,
        "what cannot be read is the body of a 200",
    ),
    both(
        "skips-malformed-fields",
        "Z-48",
        Mutation::SkipsBadFields,
        "a line of a response's head that is not a field is dropped",
    ),
    both(
        "takes-the-first-length",
        "Z-49",
        Mutation::TakesFirstLength,
        "of two lengths of a response the first counts",
    ),
    both(
        "takes-the-last-length",
        "Z-49",
        Mutation::TakesLastLength,
        "of two lengths of a response the last counts",
    ),
    both(
        "ignores-ranges",
        "Z-51",
        Mutation::IgnoresRanges,
        "Range is not sent on, so that the user gets the whole",
    ),
    both(
        "drops-validators",
        "Z-51",
        Mutation::DropsValidators,
        "conditions of a request are not sent on",
    ),
    both(
        "turns-206-into-200",
        "Z-51",
        Mutation::Turns206Into200,
        "a part is given to the user as if it were the whole",
    ),
    both(
        "turns-304-into-200",
        "Z-51",
        Mutation::Turns304Into200,
        "a response that means nothing changed becomes an empty page",
    ),
    both(
        "marks-cache-hits",
        "Z-27",
        Mutation::MarksCacheHits,
        "a field tells whether the cell came from the cache, also on a 404",
    ),
    both(
        "sleeps-on-warm-requests",
        "Z-29",
        Mutation::SleepsOnWarm,
        "a request whose cell is remembered waits for a check of two seconds",
    ),
    both(
        "delays-404s-far-longer",
        "Z-80",
        Mutation::DelaysFarLonger,
        "a 404 is delayed by twenty times the configured bound",
    )
    .claiming("not-found-delay"),
    both(
        "accepts-any-host",
        "Z-62",
        Mutation::AcceptsAnyHost,
        "the number of hosts of a request is not checked",
    ),
    both(
        "trusts-x-forwarded-host",
        "Z-26",
        Mutation::TrustsForwardedHost,
        "the public name is what a user says in X-Forwarded-Host",
    ),
    both(
        "trusts-x-forwarded-proto",
        "Z-26",
        Mutation::TrustsForwardedProto,
        "the public scheme is what a user says in X-Forwarded-Proto",
    ),
    both(
        "strips-what-users-name",
        "Z-26",
        Mutation::StripsWhatUsersName,
        "fields that Connection names go after the router has set its own, so that a user can remove X-Forwarded-Host",
    ),
    both(
        "passes-a-cells-location-on",
        "Z-26",
        Mutation::PassesCellLocations,
        "a Location with the address of a cell reaches the user",
    ),
];
