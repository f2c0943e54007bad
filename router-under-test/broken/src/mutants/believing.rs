//! Both: the sources that a router trusts.

use crate::entry::{Mutant, both, buffering, learning};
use crate::kind::Mutation;

pub(crate) const TABLE: &[Mutant] = &[
    both(
        "obeys-redirects-of-users",
        "Z-72",
        Mutation::ObeysUsersRedirects,
        "a redirect header in a request is followed",
    ),
    both(
        "learns-from-users",
        "Z-72",
        Mutation::LearnsFromUsers,
        "a cache header in a request is cached for the cell that responds",
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
        "the HTTP library keeps the cookies that cells set, and sends them with the requests of \
         all users",
    ),
    buffering(
        "reads-pages-as-learn-responses",
        "CA-04",
        Mutation::ReadsPagesAsResponses,
        "a page that looks like a learn response is cached as one",
    ),
    learning(
        "learns-from-pages-of-json",
        "Z-73",
        Mutation::ReadsPagesAsResponses,
        "a page that looks like a learn response is cached as one",
    ),
    buffering(
        "believes-the-cell-in-cache-fields",
        "Z-40",
        Mutation::BelievesCellInCacheField,
        "a member `cell` of the cache header overrides the cell that responded",
    ),
    buffering(
        "learns-from-redirect-fields",
        "Z-40",
        Mutation::LearnsFromRedirectFields,
        "a member `path_prefix` of the redirect header is cached for the cell that the header \
         names",
    ),
    learning(
        "stumbles-over-cache-fields",
        "RT-08",
        Mutation::StumblesOverCacheFields,
        "a response with the other proposal's cache header is refused",
    ),
    learning(
        "follows-redirect-fields-of-any-status",
        "Z-37",
        Mutation::BouncesOnAnyStatus,
        "the other proposal's redirect header is followed on a response of any status",
    ),
    learning(
        "follows-redirects-of-pre-flights",
        "Z-73",
        Mutation::FollowsPreFlightRedirects,
        "the HTTP library follows the Location of a learn response",
    ),
    learning(
        "believes-cache-fields-of-learn-responses",
        "Z-73",
        Mutation::BelievesCacheFieldsOnLearn,
        "a cache header on a learn response is cached for the cell that sent it",
    ),
    learning(
        "believes-redirect-fields-of-learn-responses",
        "Z-73",
        Mutation::BelievesRedirectFieldsOnLearn,
        "a redirect header on a learn response overrides the cell in its body",
    ),
    learning(
        "passes-cookies-of-pre-flights-on",
        "Z-73",
        Mutation::PassesPreFlightCookies,
        "cookies of a learn response reach the user",
    ),
    learning(
        "takes-every-2xx-for-a-learn-response",
        "Z-35",
        Mutation::TakesEverySuccess,
        "every 2xx counts as a learn response",
    ),
];
