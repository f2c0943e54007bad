//! Both: from which responses a router learns, for whom, for how long and how much.

use crate::entry::{Mutant, both, buffering, learning};
use crate::kind::Mutation;

pub(crate) const TABLE: &[Mutant] = &[
    both("never-evicts", "Z-70", Mutation::NeverEvicts, "the cache has no bound"),
    buffering(
        "learns-from-gets-only",
        "CA-03",
        Mutation::LearnsFromGetsOnly,
        "the cache field counts on responses to GET alone",
    ),
    learning(
        "remembers-for-gets-only",
        "LN-21",
        Mutation::LearnsFromGetsOnly,
        "what a pre-flight says is kept where it asked about a GET",
    ),
    buffering(
        "learns-from-200-only",
        "CA-03",
        Mutation::LearnsFrom200Only,
        "the cache field counts on a 200 alone",
    ),
    learning(
        "keeps-200-only",
        "CA-08",
        Mutation::LearnsFrom200Only,
        "what a pre-flight says is kept only if the page has status 200",
    ),
    buffering(
        "learns-from-bodies-only",
        "CA-03",
        Mutation::LearnsFromBodiesOnly,
        "the cache field is read when the body comes, and none comes",
    ),
    learning(
        "keeps-what-has-a-body",
        "CA-08",
        Mutation::LearnsFromBodiesOnly,
        "what a pre-flight says is kept when the page's body comes",
    ),
    buffering(
        "learns-after-bounces-only",
        "CA-03",
        Mutation::LearnsAfterBouncesOnly,
        "the cache field is read where a bounce came before, not where the picked cell is the owner",
    ),
    buffering(
        "learns-after-one-bounce-only",
        "CA-18",
        Mutation::LearnsAfterOneBounceOnly,
        "the cache field is not read after a second bounce",
    ),
    buffering(
        "remembers-bounces",
        "CA-04",
        Mutation::RemembersBounces,
        "the cell to which a bounce points is remembered",
    ),
    buffering(
        "heeds-the-caching-of-pages",
        "CA-03",
        Mutation::HeedsPageCaching,
        "nothing is learnt from a page that must not be cached itself, as if the place were the page",
    ),
    buffering(
        "heeds-the-cookies-of-pages",
        "CA-03",
        Mutation::HeedsPageCookies,
        "nothing is learnt from a response that sets a cookie",
    ),
    learning(
        "remembers-the-asked-cell",
        "CA-08",
        Mutation::CachesFirstAsked,
        "the entry names the cell that was asked by the pre-flight",
    ),
    both(
        "remembers-per-token",
        "CA-09",
        Mutation::PerToken,
        "entries are kept apart by Authorization and Private-Token",
    ),
    both(
        "remembers-per-browser",
        "CA-09",
        Mutation::PerBrowser,
        "entries are kept apart by User-Agent, Accept and Accept-Language",
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
        "a response that does not repeat the cache field ends the entry",
    ),
    buffering(
        "sign-in-empties-the-cache",
        "Z-71",
        Mutation::SignInClears,
        "a sign-in empties the cache, as if entries belonged to the session",
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
        "the cache has one clock, which starts anew with each entry",
    ),
    learning(
        "max-age-prolongs-entries",
        "LN-13",
        Mutation::MaxAgeProlongs,
        "max-age of a learn response is added to the time to live",
    ),
    learning(
        "compares-no-keys",
        "CA-14",
        Mutation::ComparesNoKeys,
        "the cache is a table of as many slots, and whatever is in the slot counts",
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
        "a place whose cell failed once is refused from then on",
    ),
];
