//! Both: what a cell answers, and what it is told of the user.

use crate::catalog::{Defect, both};
use crate::kind::Flaw;

pub(crate) const TABLE: &[Defect] = &[
    both("passes-malformed-answers-on", "Z-48", Flaw::PassesMalformedOn, "what cannot be read is given to the user byte for byte"),
    both("takes-garbage-for-200", "Z-48", Flaw::TakesGarbageFor200, "what cannot be read is the body of a 200"),
    both("skips-malformed-fields", "Z-48", Flaw::SkipsBadFields, "a line of an answer's head that is no field is left out"),
    both("takes-the-first-length", "Z-49", Flaw::TakesFirstLength, "of two lengths of an answer the first counts"),
    both("takes-the-last-length", "Z-49", Flaw::TakesLastLength, "of two lengths of an answer the last counts"),
    both("ignores-ranges", "Z-51", Flaw::IgnoresRanges, "Range is not sent on, so that the whole is answered"),
    both("drops-validators", "Z-51", Flaw::DropsValidators, "conditions of a request are not sent on"),
    both("turns-206-into-200", "Z-51", Flaw::Turns206Into200, "a part is given to the user as if it were the whole"),
    both("turns-304-into-200", "Z-51", Flaw::Turns304Into200, "an answer that means nothing changed becomes an empty page"),
    both("marks-cache-hits", "Z-27", Flaw::MarksCacheHits, "a field tells whether the cell was remembered, also with a 404"),
    both("sleeps-on-warm-requests", "Z-29", Flaw::SleepsOnWarm, "a request whose cell is remembered waits for a check of two seconds"),
    both("delays-404s-far-longer", "Z-80", Flaw::DelaysFarLonger, "a 404 is delayed by twenty times the configured bound")
        .claiming("not-found-delay"),
    both("accepts-any-host", "Z-62", Flaw::AcceptsAnyHost, "whether a request has a host, and one only, is not looked at"),
    both("trusts-x-forwarded-host", "Z-26", Flaw::TrustsForwardedHost, "the public name is what a user says in X-Forwarded-Host"),
    both("trusts-x-forwarded-proto", "Z-26", Flaw::TrustsForwardedProto, "the public scheme is what a user says in X-Forwarded-Proto"),
    both(
        "strips-what-users-name",
        "Z-26",
        Flaw::StripsWhatUsersName,
        "fields that Connection names go after the router has set its own, so that a user can remove X-Forwarded-Host",
    ),
    both("passes-a-cells-location-on", "Z-26", Flaw::PassesCellLocations, "a Location with the address of a cell reaches the user"),
];
