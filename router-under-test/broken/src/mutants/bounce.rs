//! Buffering: what a cell's 302 and its two headers mean.

use crate::entry::{Mutant, buffering, learning};
use crate::kind::Mutation;

pub(crate) const TABLE: &[Mutant] = &[
    buffering(
        "passes-the-bounce-on",
        "BF-03",
        Mutation::PassesBounceOn,
        "a 302 with the redirect header is taken for one that is meant for the user",
    ),
    buffering(
        "follows-bounces-of-gets-only",
        "BF-03",
        Mutation::FollowsBouncesOfGetsOnly,
        "only reads are sent to the cell that the redirect names, a write gets the 302 itself",
    ),
    buffering(
        "follows-redirects-for-the-user",
        "BF-09",
        Mutation::FollowsUserRedirects,
        "every 302 is followed inside, also one that should take the user to another page",
    ),
    learning(
        "follows-redirects-inside",
        "RT-08",
        Mutation::FollowsUserRedirects,
        "a 302 to another page is followed by the router, so that the user sees that page under the old address",
    ),
    buffering(
        "makes-locations-absolute",
        "BF-09",
        Mutation::AbsoluteLocations,
        "the Location of a redirect for the user is completed with the address of the cell",
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
        "the second cell is taken to be the owner, so that a second bounce is a loop",
    ),
    buffering(
        "bounces-forty-times",
        "Z-01",
        Mutation::BouncesForty,
        "the bound on bounces is far above the one that was configured",
    ),
    buffering(
        "shows-malformed-bounces",
        "Z-35",
        Mutation::ShowsMalformedBounce,
        "a redirect header that cannot be read is dropped and its 302 given to the user",
    ),
    buffering(
        "takes-the-first-of-two-redirects",
        "Z-35",
        Mutation::TakesFirstOfTwoRedirects,
        "of two redirect lines the first is followed instead of refusing the response",
    ),
    buffering(
        "confirms-the-owner",
        "BF-12",
        Mutation::ConfirmsOwner,
        "the first response of a picked cell only counts as a sign that it is the owner, and the request is sent once more",
    ),
    buffering(
        "sends-to-all-of-the-region",
        "RT-01",
        Mutation::Broadcasts,
        "without an entry every cell of the region gets the request and one response is used",
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
        "blanks around members and values are taken as part of them",
    ),
    buffering(
        "refuses-unknown-header-members",
        "Z-40",
        Mutation::RejectsHeaderMembers,
        "a member that the parser does not know makes the whole header malformed",
    ),
    buffering(
        "refuses-bad-cache-headers",
        "Z-36",
        Mutation::RefusesBadCacheHeader,
        "a response with a malformed cache header becomes a 502 although the request was processed",
    ),
    buffering(
        "guesses-at-bad-cache-headers",
        "Z-36",
        Mutation::SalvagesCacheHeader,
        "a malformed cache header is repaired by guessing the prefix",
    ),
    buffering(
        "believes-the-bouncing-cell",
        "Z-06",
        Mutation::HonoursCacheOnBounce,
        "a cache header on the 302 is remembered for the cell that sent it",
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
