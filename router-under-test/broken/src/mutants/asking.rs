//! Failing pre-flights, and their privacy.

use crate::entry::{Mutant, both, learning};
use crate::kind::Mutation;

pub(crate) const TABLE: &[Mutant] = &[
    learning(
        "serves-learn-to-users",
        "Z-10",
        Mutation::ServesLearn,
        "the learn path is served to users like other paths",
    ),
    learning(
        "serves-learn-spelt-otherwise",
        "Z-10",
        Mutation::ServesLearnSpeltOtherwise,
        "the learn path is closed to users in one spelling only, not as %6Cearn or with a doubled \
         slash",
    ),
    learning(
        "sends-cookies-with-the-pre-flight",
        "Z-11",
        Mutation::CookiesOnPreFlight,
        "the pre-flight carries the user's cookies",
    ),
    learning(
        "sends-tokens-with-the-pre-flight",
        "Z-11",
        Mutation::AuthorizationOnPreFlight,
        "the pre-flight carries the user's Authorization and Private-Token",
    ),
    learning(
        "sends-all-fields-with-the-pre-flight",
        "Z-11",
        Mutation::FieldsOnPreFlight,
        "the pre-flight is made from a copy of the user's request",
    ),
    learning(
        "asks-without-end",
        "Z-14",
        Mutation::AsksWithoutEnd,
        "pre-flights are repeated without a limit until one succeeds",
    ),
    learning(
        "takes-half-a-learn-response",
        "Z-14",
        Mutation::TakesHalfLearnResponses,
        "a truncated learn response is used",
    ),
    learning(
        "takes-errors-for-nobody",
        "Z-35",
        Mutation::TakesErrorsForNobody,
        "a pre-flight that failed with 5xx is treated like one that found no owner",
    ),
    learning(
        "waits-forever-for-pre-flights",
        "Z-14",
        Mutation::WaitsForeverForPreFlights,
        "pre-flights have no timeout",
    ),
    learning(
        "remembers-failed-cells",
        "Z-14",
        Mutation::RemembersGarbage,
        "a cell is cached for the path although its learn response is invalid",
    ),
    learning(
        "remembers-failed-pre-flights",
        "Z-15",
        Mutation::RemembersFailures,
        "a path whose pre-flight failed is refused from then on",
    ),
    both(
        "remembers-missing-places",
        "Z-15",
        Mutation::RemembersMissing,
        "a 404 is cached, and the router responds with it from then on",
    ),
];
