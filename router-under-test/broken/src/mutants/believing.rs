//! Both: whose word counts, and where.

use crate::entry::{Mutant, both, buffering, learning};
use crate::kind::Mutation;

pub(crate) const TABLE: &[Mutant] = &[
    both(
        "obeys-redirects-of-users",
        "Z-72",
        Mutation::ObeysUsersRedirects,
        "a request goes to the cell that the user's redirect field names",
    ),
    both(
        "learns-from-users",
        "Z-72",
        Mutation::LearnsFromUsers,
        "the cache field of a request is remembered for the cell that responds",
    ),
    both(
        "routes-by-x-original-url",
        "Z-72",
        Mutation::RoutesByOriginalUrl,
        "the cell is looked up by the path in X-Original-URL or X-Rewrite-URL",
    ),
    both(
        "keeps-a-cookie-jar",
        "Z-74",
        Mutation::KeepsCookieJar,
        "the HTTP library keeps what cells set, and sends it with the requests of all users",
    ),
    buffering(
        "reads-pages-as-learn-responses",
        "CA-04",
        Mutation::ReadsPagesAsResponses,
        "a page that looks like a learn response teaches",
    ),
    learning(
        "learns-from-pages-of-json",
        "Z-73",
        Mutation::ReadsPagesAsResponses,
        "a page that looks like a learn response teaches",
    ),
    buffering(
        "believes-the-cell-in-cache-fields",
        "Z-40",
        Mutation::BelievesCellInCacheField,
        "a member `cell` of the cache field counts more than the cell that responds",
    ),
    buffering(
        "learns-from-redirect-fields",
        "Z-40",
        Mutation::LearnsFromRedirectFields,
        "a member `path_prefix` of the redirect field is remembered for the cell that it names",
    ),
    learning(
        "stumbles-over-cache-fields",
        "RT-08",
        Mutation::StumblesOverCacheFields,
        "a response with the other proposal's cache field is refused",
    ),
    learning(
        "follows-redirect-fields-of-any-status",
        "Z-37",
        Mutation::BouncesOnAnyStatus,
        "a request is sent again where a response has the other proposal's redirect field, whatever the status",
    ),
    learning(
        "follows-redirects-of-pre-flights",
        "Z-73",
        Mutation::FollowsPreFlightRedirects,
        "the HTTP library follows a Location by itself, also on a learn response",
    ),
    learning(
        "believes-cache-fields-of-learn-responses",
        "Z-73",
        Mutation::BelievesCacheFieldsOnLearn,
        "a cache field on a learn response is remembered for the cell that was asked",
    ),
    learning(
        "believes-redirect-fields-of-learn-responses",
        "Z-73",
        Mutation::BelievesRedirectFieldsOnLearn,
        "a redirect field on a learn response counts more than the cell in its body",
    ),
    learning(
        "passes-cookies-of-pre-flights-on",
        "Z-73",
        Mutation::PassesPreFlightCookies,
        "what a learn response sets reaches the user",
    ),
    learning(
        "takes-every-2xx-for-a-learn-response",
        "Z-35",
        Mutation::TakesEverySuccess,
        "any status of success counts as a learn response",
    ),
];
