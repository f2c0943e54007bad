//! Both: what is remembered, for whom, and which entry wins.

use crate::entry::{Mutant, both, buffering, learning};
use crate::kind::Mutation;

pub(crate) const TABLE: &[Mutant] = &[
    both(
        "never-remembers",
        "RT-09",
        Mutation::NeverCaches,
        "what cells say about paths is read and thrown away",
    ),
    buffering(
        "remembers-the-full-path",
        "CA-03",
        Mutation::FullPath,
        "the asked path is remembered instead of the prefix",
    ),
    learning(
        "remembers-full-paths",
        "CA-08",
        Mutation::FullPath,
        "the asked path is remembered instead of the prefix",
    ),
    buffering(
        "matches-inside-a-segment",
        "CA-06",
        Mutation::NoBoundary,
        "prefixes are compared as strings, so that /my-company covers /my-company-2",
    ),
    learning(
        "matches-half-a-name",
        "CA-07",
        Mutation::NoBoundary,
        "prefixes are compared as strings, so that /a/test covers /a/test-2",
    ),
    both(
        "remembers-per-user",
        "CA-09",
        Mutation::PerUser,
        "entries are kept apart by the user's cookie",
    ),
    buffering(
        "remembers-per-method",
        "CA-03",
        Mutation::PerMethod,
        "the method is part of the cache key",
    ),
    learning(
        "learns-per-method",
        "LN-21",
        Mutation::PerMethod,
        "the method is part of the cache key",
    ),
    both(
        "remembers-the-top-level",
        "RT-14",
        Mutation::TopLevelOnly,
        "an entry always covers the whole top-level namespace of the told path",
    ),
    both(
        "one-entry-per-top-level",
        "CA-10",
        Mutation::OnePerTopLevel,
        "a new entry replaces all others under the same first segment",
    ),
    both(
        "one-entry-for-all-organizations",
        "CA-11",
        Mutation::OrganizationsAsOne,
        "/organizations is remembered as one place",
    ),
    buffering(
        "cuts-prefixes-to-two-segments",
        "AD-02",
        Mutation::TwoSegments,
        "only two segments of a prefix are kept, so that one cell's admin area covers all",
    ),
    learning(
        "cuts-learnt-paths-to-two-segments",
        "AD-05",
        Mutation::TwoSegments,
        "only two segments of a path are kept, so that one cell's admin area covers all",
    ),
    buffering(
        "remembers-without-being-told",
        "CA-04",
        Mutation::RemembersUntold,
        "the cell that responded is remembered for the first segment although it did not say so",
    ),
    both(
        "remembers-the-root",
        "CA-12",
        Mutation::RemembersRoot,
        "the first cell that served / gets every later visit of it",
    ),
    buffering(
        "remembers-the-dashboard",
        "CA-13",
        Mutation::RemembersDashboard,
        "the first cell that served /dashboard gets every later visit of it",
    ),
    buffering(
        "landing-pages-stick",
        "BF-16",
        Mutation::RemembersLanding,
        "/ and /dashboard stay with the first cell that served them",
    ),
    both(
        "remembers-graphql",
        "TD-06",
        Mutation::RemembersGraphql,
        "/api/graphql is remembered for the first cell that served it",
    ),
    buffering(
        "remembers-the-first-asked",
        "CA-18",
        Mutation::CachesFirstAsked,
        "the cache header is remembered for the cell that was asked first",
    ),
    both(
        "keeps-pages",
        "CA-17",
        Mutation::ContentCache,
        "responses to GET are kept and given to later visitors",
    ),
    both(
        "refuses-when-full",
        "CA-14",
        Mutation::FullRefuses,
        "a full cache refuses requests for places that are not in it",
    ),
    both(
        "shortest-prefix-wins",
        "Z-09",
        Mutation::ShortestWins,
        "the entries are tried from the shortest on",
    ),
    buffering(
        "older-response-wins",
        "Z-38",
        Mutation::OlderWins,
        "an entry is never replaced while it lives",
    ),
    learning(
        "prefix-beats-exact",
        "Z-38",
        Mutation::PrefixBeatsExact,
        "exact entries are only looked at when no prefix covers the path",
    ),
    both(
        "remembers-foreign-prefixes",
        "Z-07",
        Mutation::ForeignPrefixes,
        "a prefix that does not cover the request is remembered",
    ),
    both(
        "remembers-everything-under-root",
        "Z-08",
        Mutation::RootPrefixes,
        "the prefix / is remembered and covers all paths",
    ),
];
