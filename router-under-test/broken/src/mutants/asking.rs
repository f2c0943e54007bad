//! Pre-flights that go wrong, and what is private about them.

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
        "the learn path is closed to users in one spelling only, not as %6Cearn or with a slash more",
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
        "pre-flights are repeated until one succeeds, while the user waits",
    ),
    learning(
        "takes-half-a-learn-response",
        "Z-14",
        Mutation::TakesHalfLearnResponses,
        "a learn response that broke off is read as far as it came",
    ),
    learning(
        "takes-errors-for-nobody",
        "Z-35",
        Mutation::TakesErrorsForNobody,
        "a pre-flight that failed with 5xx is treated like one that names nobody",
    ),
    learning(
        "waits-forever-for-pre-flights",
        "Z-14",
        Mutation::WaitsForeverForPreFlights,
        "a response to a pre-flight is awaited without a limit",
    ),
    learning(
        "remembers-failed-cells",
        "Z-14",
        Mutation::RemembersGarbage,
        "a cell is remembered for the path although its learn response is unusable",
    ),
    learning(
        "remembers-failed-pre-flights",
        "Z-15",
        Mutation::RemembersFailures,
        "a place about which a pre-flight failed is refused from then on",
    ),
    both(
        "remembers-missing-places",
        "Z-15",
        Mutation::RemembersMissing,
        "a path that was not found once stays a 404 of the router",
    ),
];
