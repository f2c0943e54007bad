//! Both: the responses that add cache entries, and the keys, lifetime and size of the cache.

use crate::entry::{Mutant, both, buffering, learning};
use crate::kind::Mutation;

pub(crate) const TABLE: &[Mutant] = &[
    both("never-evicts", "Z-70", Mutation::NeverEvicts, "the cache has no size limit"),
    buffering(
        "learns-from-gets-only",
        "CA-03",
        Mutation::LearnsFromGetsOnly,
        "cache headers are read on responses to GET only",
    ),
    learning(
        "remembers-for-gets-only",
        "LN-21",
        Mutation::LearnsFromGetsOnly,
        "learn responses are cached for GET only",
    ),
    buffering(
        "learns-from-200-only",
        "CA-03",
        Mutation::LearnsFrom200Only,
        "cache headers are read on a 200 only",
    ),
    learning(
        "keeps-200-only",
        "CA-08",
        Mutation::LearnsFrom200Only,
        "a learn response is cached only if the request then gets 200",
    ),
    buffering(
        "learns-from-bodies-only",
        "CA-03",
        Mutation::LearnsFromBodiesOnly,
        "cache headers are read only on responses with a body",
    ),
    learning(
        "keeps-what-has-a-body",
        "CA-08",
        Mutation::LearnsFromBodiesOnly,
        "a learn response is cached only if the request's response has a body",
    ),
    buffering(
        "learns-after-bounces-only",
        "CA-03",
        Mutation::LearnsAfterBouncesOnly,
        "cache headers are read only after a bounce",
    ),
    buffering(
        "learns-after-one-bounce-only",
        "CA-18",
        Mutation::LearnsAfterOneBounceOnly,
        "cache headers are not read after a second bounce",
    ),
    buffering(
        "remembers-bounces",
        "CA-04",
        Mutation::RemembersBounces,
        "the cell that a bounce names is cached",
    ),
    buffering(
        "heeds-the-caching-of-pages",
        "CA-03",
        Mutation::HeedsPageCaching,
        "a page that must not be cached adds no cache entry",
    ),
    buffering(
        "heeds-the-cookies-of-pages",
        "CA-03",
        Mutation::HeedsPageCookies,
        "a response that sets a cookie adds no cache entry",
    ),
    learning(
        "remembers-the-asked-cell",
        "CA-08",
        Mutation::CachesFirstAsked,
        "the entry names the cell that got the pre-flight",
    ),
    both(
        "remembers-per-token",
        "CA-09",
        Mutation::PerToken,
        "Authorization and Private-Token are part of the cache key",
    ),
    both(
        "remembers-per-browser",
        "CA-09",
        Mutation::PerBrowser,
        "User-Agent, Accept and Accept-Language are part of the cache key",
    ),
    both(
        "remembers-per-worker",
        "CA-09",
        Mutation::PerWorker,
        "each of two workers has a cache of its own",
    ),
    learning(
        "forgets-after-use",
        "LN-05",
        Mutation::ForgetsAfterUse,
        "an entry serves one request",
    ),
    buffering(
        "forgets-what-is-not-repeated",
        "Z-71",
        Mutation::ForgetsAfterUse,
        "a response without the cache header removes the entry",
    ),
    buffering(
        "sign-in-empties-the-cache",
        "Z-71",
        Mutation::SignInClears,
        "a sign-in empties the cache",
    ),
    learning(
        "heeds-no-store-of-learn-responses",
        "Z-71",
        Mutation::HeedsNoStore,
        "a learn response with no-store is used once",
    ),
    learning(
        "any-lesson-renews-all",
        "LN-13",
        Mutation::AnyLessonRenewsAll,
        "each new entry renews the TTL of all entries",
    ),
    learning(
        "max-age-prolongs-entries",
        "LN-13",
        Mutation::MaxAgeProlongs,
        "max-age of a learn response is added to the TTL",
    ),
    learning(
        "compares-no-keys",
        "CA-14",
        Mutation::ComparesNoKeys,
        "the cache is a hash table that does not compare keys",
    ),
    learning(
        "one-entry-per-path",
        "Z-38",
        Mutation::OneEntryPerPath,
        "an exact entry and a prefix of one path replace each other",
    ),
    buffering(
        "remembers-refusals",
        "Z-15",
        Mutation::RemembersFailures,
        "a path whose cell failed once is refused from then on",
    ),
    buffering(
        "keeps-narrower-entries",
        "Z-82",
        Mutation::KeepsNarrowerEntries,
        "an entry that led to a bounce stays where the new owner announces a shorter prefix",
    ),
    buffering(
        "keeps-the-entry-of-an-upload",
        "Z-82",
        Mutation::KeepsEntryOfUpload,
        "an entry stays where its cell redirected a body that cannot be sent again",
    ),
];
