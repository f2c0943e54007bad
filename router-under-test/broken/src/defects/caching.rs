//! Both: what is remembered, for whom, and which entry wins.

use crate::catalog::{Defect, both, buffering, learning};
use crate::kind::Flaw;

pub(crate) const TABLE: &[Defect] = &[
    both("never-remembers", "RT-09", Flaw::NeverCaches, "what cells say about paths is read and thrown away"),
    buffering("remembers-the-full-path", "CA-03", Flaw::FullPath, "the asked path is remembered instead of the prefix"),
    learning("remembers-full-paths", "CA-08", Flaw::FullPath, "the asked path is remembered instead of the prefix"),
    buffering(
        "matches-inside-a-segment",
        "CA-06",
        Flaw::NoBoundary,
        "prefixes are compared as strings, so that /my-company covers /my-company-2",
    ),
    learning("matches-half-a-name", "CA-07", Flaw::NoBoundary, "prefixes are compared as strings, so that /a/test covers /a/test-2"),
    both("remembers-per-user", "CA-09", Flaw::PerUser, "entries are kept apart by the user's cookie"),
    buffering("remembers-per-method", "CA-03", Flaw::PerMethod, "the method is part of the cache key"),
    learning("learns-per-method", "LN-21", Flaw::PerMethod, "the method is part of the cache key"),
    both("remembers-the-top-level", "RT-14", Flaw::TopLevelOnly, "an entry always covers the whole top-level namespace of the told path"),
    both("one-entry-per-top-level", "CA-10", Flaw::OnePerTopLevel, "a new entry replaces all others under the same first segment"),
    both("one-entry-for-all-organizations", "CA-11", Flaw::OrganizationsAsOne, "/organizations is remembered as one place"),
    buffering(
        "cuts-prefixes-to-two-segments",
        "AD-02",
        Flaw::TwoSegments,
        "only two segments of a prefix are kept, so that one cell's admin area covers all",
    ),
    learning(
        "cuts-learnt-paths-to-two-segments",
        "AD-05",
        Flaw::TwoSegments,
        "only two segments of a path are kept, so that one cell's admin area covers all",
    ),
    buffering(
        "remembers-without-being-told",
        "CA-04",
        Flaw::RemembersUntold,
        "the cell that answered is remembered for the first segment although it did not say so",
    ),
    both("remembers-the-root", "CA-12", Flaw::RemembersRoot, "the cell that answered / gets every later visit of /"),
    buffering(
        "remembers-the-dashboard",
        "CA-13",
        Flaw::RemembersDashboard,
        "the cell that answered /dashboard gets every later visit of it",
    ),
    buffering("landing-pages-stick", "BF-16", Flaw::RemembersLanding, "/ and /dashboard stay with the cell that answered them first"),
    both("remembers-graphql", "TD-06", Flaw::RemembersGraphql, "/api/graphql is remembered for the cell that answered it first"),
    buffering(
        "remembers-the-first-asked",
        "CA-18",
        Flaw::CachesFirstAsked,
        "the cache header is remembered for the cell that was asked first",
    ),
    both("keeps-pages", "CA-17", Flaw::ContentCache, "answers to GET are kept and given to later visitors"),
    both("refuses-when-full", "CA-14", Flaw::FullRefuses, "a full cache refuses requests for places that are not in it"),
    both("shortest-prefix-wins", "Z-09", Flaw::ShortestWins, "the entries are tried from the shortest on"),
    buffering("older-answer-wins", "Z-38", Flaw::OlderWins, "an entry is never replaced while it lives"),
    learning("prefix-beats-exact", "Z-38", Flaw::PrefixBeatsExact, "exact entries are only looked at when no prefix covers the path"),
    both("remembers-foreign-prefixes", "Z-07", Flaw::ForeignPrefixes, "a prefix that does not cover the request is remembered"),
    both("remembers-everything-under-root", "Z-08", Flaw::RootPrefixes, "the prefix / is remembered and covers all paths"),
];
