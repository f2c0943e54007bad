//! Buffering: the 302 of a cell and its two headers.

use crate::entry::{Mutant, buffering, learning};
use crate::kind::Mutation;

pub(crate) const TABLE: &[Mutant] = &[
    buffering(
        "passes-the-bounce-on",
        "BF-03",
        Mutation::PassesBounceOn,
        "a 302 with the redirect header is forwarded to the user",
    ),
    buffering(
        "follows-bounces-of-gets-only",
        "BF-03",
        Mutation::FollowsBouncesOfGetsOnly,
        "a 302 with the redirect header is followed for reads only; a write gets the 302",
    ),
    buffering(
        "follows-redirects-for-the-user",
        "BF-09",
        Mutation::FollowsUserRedirects,
        "every 302 is followed by the router, even one to another page",
    ),
    learning(
        "follows-redirects-inside",
        "RT-08",
        Mutation::FollowsUserRedirects,
        "a 302 to another page is followed by the router, so that its page appears under the old \
         URL",
    ),
    buffering(
        "makes-locations-absolute",
        "BF-09",
        Mutation::AbsoluteLocations,
        "a relative Location is completed with the address of the cell",
    ),
    buffering(
        "bounces-on-any-status",
        "Z-37",
        Mutation::BouncesOnAnyStatus,
        "the redirect header is followed whatever the status",
    ),
    buffering(
        "bounces-only-once",
        "UN-03",
        Mutation::BouncesOnlyOnce,
        "a second bounce is treated as a loop",
    ),
    buffering(
        "bounces-forty-times",
        "Z-01",
        Mutation::BouncesForty,
        "the limit on bounces is far above the configured one",
    ),
    buffering(
        "shows-malformed-bounces",
        "Z-35",
        Mutation::ShowsMalformedBounce,
        "an invalid redirect header is removed, and its 302 is forwarded to the user",
    ),
    buffering(
        "takes-the-first-of-two-redirects",
        "Z-35",
        Mutation::TakesFirstOfTwoRedirects,
        "of two redirect headers the first is followed instead of refusing the response",
    ),
    buffering(
        "confirms-the-owner",
        "BF-12",
        Mutation::ConfirmsOwner,
        "the first response of a picked cell only confirms the owner, and the request is sent \
         again",
    ),
    buffering(
        "sends-to-all-of-the-region",
        "RT-01",
        Mutation::Broadcasts,
        "without an entry every cell of the region gets the request, and one response is used",
    ),
    buffering(
        "takes-header-cells-for-ids",
        "BF-10",
        Mutation::LooksUpById,
        "the redirect header is looked up among ids (cell_eu0) instead of names (Cell EU0)",
    ),
    buffering(
        "wants-json-in-headers",
        "CA-02",
        Mutation::WantsJson,
        "the headers are parsed as JSON",
    ),
    buffering(
        "keeps-blanks-in-headers",
        "BF-10",
        Mutation::KeepsBlanks,
        "spaces around members and values are read as part of them",
    ),
    buffering(
        "refuses-unknown-header-members",
        "Z-40",
        Mutation::RejectsHeaderMembers,
        "an unknown member makes the whole header invalid",
    ),
    buffering(
        "refuses-bad-cache-headers",
        "Z-36",
        Mutation::RefusesBadCacheHeader,
        "a response with an invalid cache header becomes a 502 although the request was processed",
    ),
    buffering(
        "guesses-at-bad-cache-headers",
        "Z-36",
        Mutation::SalvagesCacheHeader,
        "the prefix of an invalid cache header is guessed",
    ),
    buffering(
        "believes-the-bouncing-cell",
        "Z-06",
        Mutation::HonoursCacheOnBounce,
        "a cache header on the 302 is cached for the cell that sent it",
    ),
    buffering(
        "asks-the-learn-endpoint-too",
        "BF-01",
        Mutation::AsksLearnInBuffering,
        "cold requests are preceded by the other proposal's pre-flight",
    ),
    buffering(
        "asks-with-head-first",
        "BF-01",
        Mutation::AsksWithHead,
        "a HEAD request finds the owner before the request itself is sent",
    ),
];
