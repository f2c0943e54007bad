//! Both: what is cached, for whom, and which entry wins.

use crate::entry::{Mutant, both, buffering, learning};
use crate::kind::Mutation;

pub(crate) const TABLE: &[Mutant] = &[
    both("never-remembers", "RT-09", Mutation::NeverCaches, "nothing is cached"),
    buffering(
        "remembers-the-full-path",
        "CA-03",
        Mutation::FullPath,
        "the requested path is cached instead of the prefix",
    ),
    learning(
        "remembers-full-paths",
        "CA-08",
        Mutation::FullPath,
        "the requested path is cached instead of the prefix",
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
        "the user's cookie is part of the cache key",
    ),
    buffering(
        "remembers-per-method",
        "CA-03",
        Mutation::PerMethod,
        "the method is part of the cache key",
    ),
    both(
        "remembers-the-top-level",
        "RT-14",
        Mutation::TopLevelOnly,
        "an entry covers the whole top-level namespace of its path",
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
        "/organizations is cached as one prefix",
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
        "the cell that responded is cached for the first segment without a cache header",
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
        "/api/graphql is cached for the first cell that served it",
    ),
    buffering(
        "remembers-the-first-asked",
        "CA-18",
        Mutation::CachesFirstAsked,
        "the prefix is cached for the cell that got the request first",
    ),
    both(
        "keeps-pages",
        "CA-17",
        Mutation::ContentCache,
        "responses to GET are cached and sent to later visitors",
    ),
    both(
        "refuses-when-full",
        "CA-14",
        Mutation::FullRefuses,
        "a full cache refuses requests for paths that are not in it",
    ),
    both("shortest-prefix-wins", "Z-09", Mutation::ShortestWins, "the shortest prefix wins"),
    buffering(
        "older-response-wins",
        "Z-38",
        Mutation::OlderWins,
        "an entry is never replaced before it expires",
    ),
    learning(
        "prefix-beats-exact",
        "Z-38",
        Mutation::PrefixBeatsExact,
        "a prefix wins over an exact entry",
    ),
    both(
        "remembers-foreign-prefixes",
        "Z-07",
        Mutation::ForeignPrefixes,
        "a prefix that does not cover the request is cached",
    ),
    both(
        "remembers-everything-under-root",
        "CA-12",
        Mutation::RootPrefixes,
        "the prefix / is cached and covers all paths",
    ),
    both(
        "takes-no-prefix-for-every-path",
        "Z-08",
        Mutation::EmptyPrefixes,
        "the empty prefix is cached and covers all paths",
    ),
];
