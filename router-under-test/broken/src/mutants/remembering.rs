//! Both: the responses that add cache entries, and the keys, lifetime and size of the cache.

use crate::entry::mutants;

mutants! {
    NeverEvicts: Both, "Z-70",
        is always(Eviction, Whole, LeaveOut),
        "the cache has no size limit";
    LearnsFromGetsOnly: Buffering, "CA-03", "cache headers are read on responses to GET only";
    RemembersForGetsOnly as LearnsFromGetsOnly: Learning, "LN-21",
        "learn responses are cached for GET only";
    LearnsFrom200Only: Buffering, "CA-03", "cache headers are read on a 200 only";
    Keeps200Only as LearnsFrom200Only: Learning, "CA-08",
        "a learn response is cached only if the request then gets 200";
    LearnsFromBodiesOnly: Buffering, "CA-03",
        "cache headers are read only on responses with a body";
    KeepsWhatHasABody as LearnsFromBodiesOnly: Learning, "CA-08",
        "a learn response is cached only if the request's response has a body";
    LearnsAfterBouncesOnly: Buffering, "CA-03", "cache headers are read only after a bounce";
    LearnsAfterOneBounceOnly: Buffering, "CA-18",
        "cache headers are not read after a second bounce";
    RemembersBounces: Buffering, "CA-04", "the cell that a bounce names is cached";
    HeedsTheCachingOfPages: Buffering, "CA-03",
        "a page that must not be cached adds no cache entry";
    HeedsTheCookiesOfPages: Buffering, "CA-03", "a response that sets a cookie adds no cache entry";
    RemembersTheAskedCell as RemembersTheFirstAsked: Learning, "CA-08",
        "the entry names the cell that got the pre-flight";
    RemembersPerToken: Both, "CA-09", "Authorization and Private-Token are part of the cache key";
    RemembersPerBrowser: Both, "CA-09",
        "User-Agent, Accept and Accept-Language are part of the cache key";
    RemembersPerWorker: Both, "CA-09", "each of two workers has a cache of its own";
    ForgetsAfterUse: Learning, "LN-05", "an entry serves one request";
    ForgetsWhatIsNotRepeated as ForgetsAfterUse: Buffering, "Z-71",
        "a response without the cache header removes the entry";
    SignInEmptiesTheCache as SignInClearsTheCache: Buffering, "Z-71", "a sign-in empties the cache";
    HeedsNoStoreOfLearnResponses: Learning, "Z-71", "a learn response with no-store is used once";
    AnyLessonRenewsAll: Learning, "LN-13", "each new entry renews the TTL of all entries";
    MaxAgeProlongsEntries: Learning, "LN-13", "max-age of a learn response is added to the TTL";
    ComparesNoKeys: Learning, "CA-14", "the cache is a hash table that does not compare keys";
    OneEntryPerPath: Learning, "Z-38", "an exact entry and a prefix of one path replace each other";
    RemembersRefusals as RemembersFailedPreFlights: Buffering, "Z-15",
        "a path whose cell failed once is refused from then on";
    KeepsNarrowerEntries: Buffering, "Z-82",
        "an entry that led to a bounce stays where the new owner announces a shorter prefix";
    KeepsTheEntryOfAnUpload: Buffering, "Z-82",
        "an entry stays where its cell redirected a body that cannot be sent again";
}
