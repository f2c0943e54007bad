//! Those that neither a scenario nor exploration has found yet. They can be run by name; the kill
//! matrix leaves them out, since nothing catches them.

use crate::entry::mutants;

mutants! {
    KeepsTwoOfThreeLevels: Learning, "CA-10",
        "of two nested prefixes the inner one is dropped when one inside of both is cached";
    ExpiredExactEntriesHidePrefixes: Learning, "CA-08",
        "below the path of an exact entry that has expired, shorter prefixes are not looked up";
    RenewsWhatExpiresInFlight: Learning, "LN-13",
        "an entry that expires while its request is under way lives once more when it ends";
    ReusesTheEvictedKey: Learning, "RT-14",
        "if the whole cache was evicted during a pre-flight, its response is cached under the \
         first evicted key too";
}
