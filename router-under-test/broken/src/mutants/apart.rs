//! Both: mutations whose cause and effect stand apart. Each needs several steps, in this order, so
//! that nobody had written a scenario for it before exploration found one.

use crate::entry::{Mutant, buffering, learning};
use crate::kind::Mutation;

pub(crate) const TABLE: &[Mutant] = &[
    buffering(
        "corrects-an-entry-once",
        "RT-09",
        Mutation::CorrectsOnce,
        "an entry that was corrected before is not corrected again",
    ),
    buffering(
        "drops-the-body-of-the-moved",
        "BF-04",
        Mutation::DropsBodyOfMoved,
        "a body is not sent again after a bounce from a cached cell",
    ),
    buffering(
        "keeps-a-memo-of-paths",
        "Z-38",
        Mutation::KeepsMemoOfPaths,
        "cells of full paths are kept beside the entries, and a corrected entry leaves them",
    ),
    learning(
        "crosses-learn-responses",
        "CA-07",
        Mutation::CrossesLearnResponses,
        "of two pre-flights in flight, the entry of the later response names the earlier one's \
         cell",
    ),
    learning(
        "outer-entries-keep-inner-ones-alive",
        "LN-13",
        Mutation::OuterKeepsInner,
        "an expired entry is used while an entry for a prefix of it lives",
    ),
];

/// Those that neither a scenario nor exploration has found yet. They can be run by name; the kill
/// matrix leaves them out, since nothing catches them.
pub(crate) const UNCAUGHT: &[Mutant] = &[
    learning(
        "keeps-two-of-three-levels",
        "CA-10",
        Mutation::KeepsTwoOfThreeLevels,
        "of two nested prefixes the inner one is dropped when one inside of both is cached",
    ),
    learning(
        "expired-exact-entries-hide-prefixes",
        "CA-08",
        Mutation::ExactHidesPrefixes,
        "below the path of an exact entry that has expired, shorter prefixes are not looked up",
    ),
    learning(
        "renews-what-expires-in-flight",
        "LN-13",
        Mutation::RenewsInFlight,
        "an entry that expires while its request is under way lives once more when it ends",
    ),
    learning(
        "reuses-the-evicted-key",
        "RT-14",
        Mutation::ReusesEvictedKey,
        "if the whole cache was evicted during a pre-flight, its response is cached under the first \
         evicted key too",
    ),
];
