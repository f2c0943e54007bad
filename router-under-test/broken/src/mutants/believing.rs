//! Both: the sources that a router trusts.

use crate::entry::mutants;

mutants! {
    ObeysRedirectsOfUsers: Both, "Z-72", "a redirect header in a request is followed";
    LearnsFromUsers: Both, "Z-72",
        "a cache header in a request is cached for the cell that responds";
    RoutesByXOriginalUrl: Both, "Z-72",
        "the cell is looked up by the path in X-Original-URL or X-Rewrite-URL";
    KeepsACookieJar: Both, "Z-74",
        "the HTTP library keeps the cookies that cells set, and sends them with the requests of \
         all users";
    ReadsPagesAsLearnResponses: Buffering, "CA-04",
        "a page that looks like a learn response is cached as one";
    LearnsFromPagesOfJson as ReadsPagesAsLearnResponses: Learning, "Z-73",
        "a page that looks like a learn response is cached as one";
    BelievesTheCellInCacheFields: Buffering, "Z-40",
        "a member `cell` of the cache header overrides the cell that responded";
    LearnsFromRedirectFields: Buffering, "Z-40",
        "a member `path_prefix` of the redirect header is cached for the cell that the header \
         names";
    StumblesOverCacheFields: Learning, "RT-08",
        "a response with the other proposal's cache header is refused";
    FollowsRedirectFieldsOfAnyStatus as BouncesOnAnyStatus: Learning, "Z-37",
        "the other proposal's redirect header is followed on a response of any status";
    FollowsRedirectsOfPreFlights: Learning, "Z-73",
        "the HTTP library follows the Location of a learn response";
    BelievesCacheFieldsOfLearnResponses: Learning, "Z-73",
        "a cache header on a learn response is cached for the cell that sent it";
    BelievesRedirectFieldsOfLearnResponses: Learning, "Z-73",
        "a redirect header on a learn response overrides the cell in its body";
    PassesCookiesOfPreFlightsOn: Learning, "Z-73", "cookies of a learn response reach the user";
    TakesEvery2xxForALearnResponse: Learning, "Z-35", "every 2xx counts as a learn response";
}
