//! Both: what is cached, for whom, and which entry wins.

use crate::entry::mutants;

mutants! {
    NeverRemembers: Both, "RT-09",
        is always(EntryWritten, Whole, LeaveOut),
        "nothing is cached";
    RemembersTheFullPath: Buffering, "CA-03", "the requested path is cached instead of the prefix";
    RemembersFullPaths as RemembersTheFullPath: Learning, "CA-08",
        "the requested path is cached instead of the prefix";
    MatchesInsideASegment: Buffering, "CA-06",
        "prefixes are compared as strings, so that /my-company covers /my-company-2";
    MatchesHalfAName as MatchesInsideASegment: Learning, "CA-07",
        "prefixes are compared as strings, so that /a/test covers /a/test-2";
    RemembersPerUser: Both, "CA-09", "the user's cookie is part of the cache key";
    RemembersPerMethod: Buffering, "CA-03", "the method is part of the cache key";
    RemembersTheTopLevel: Both, "RT-14",
        "an entry covers the whole top-level namespace of its path";
    OneEntryPerTopLevel: Both, "CA-10",
        "a new entry replaces all others under the same first segment";
    OneEntryForAllOrganizations: Both, "CA-11", "/organizations is cached as one prefix";
    CutsPrefixesToTwoSegments: Buffering, "AD-02",
        "only two segments of a prefix are kept, so that one cell's admin area covers all";
    CutsLearntPathsToTwoSegments as CutsPrefixesToTwoSegments: Learning, "AD-05",
        "only two segments of a path are kept, so that one cell's admin area covers all";
    RemembersWithoutBeingTold: Buffering, "CA-04",
        "the cell that responded is cached for the first segment without a cache header";
    RemembersTheRoot: Both, "CA-12", "the first cell that served / gets every later visit of it";
    RemembersTheDashboard: Buffering, "CA-13",
        "the first cell that served /dashboard gets every later visit of it";
    LandingPagesStick: Buffering, "BF-16",
        "/ and /dashboard stay with the first cell that served them";
    RemembersGraphql: Both, "TD-06", "/api/graphql is cached for the first cell that served it";
    RemembersTheFirstAsked: Buffering, "CA-18",
        "the prefix is cached for the cell that got the request first";
    KeepsPages: Both, "CA-17", "responses to GET are cached and sent to later visitors";
    RefusesWhenFull: Both, "CA-14", "a full cache refuses requests for paths that are not in it";
    ShortestPrefixWins: Both, "Z-09", "the shortest prefix wins";
    OlderResponseWins: Buffering, "Z-38", "an entry is never replaced before it expires";
    PrefixBeatsExact: Learning, "Z-38", "a prefix wins over an exact entry";
    RemembersForeignPrefixes: Both, "Z-07", "a prefix that does not cover the request is cached";
    RemembersEverythingUnderRoot: Both, "Z-65", "the prefix / is cached and covers all paths";
    TakesNoPrefixForEveryPath: Both, "Z-08", "the empty prefix is cached and covers all paths";
}
