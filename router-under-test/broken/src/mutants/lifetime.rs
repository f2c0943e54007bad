//! Both: the lifetime of an entry, and how a move is noticed.

use crate::entry::mutants;

mutants! {
    NeverForgets: Learning, "LN-13",
        is always(EntryLookedUp, Age, LeaveOut),
        "entries never expire";
    ServesStaleOnce: Learning, "TD-03", "an expired entry is used once more before it is dropped";
    TtlInSeconds: Learning, "CA-16", "the TTL is read as seconds instead of milliseconds";
    UseProlongsEntries: Learning, "Z-33", "each use of an entry renews its TTL";
    TrustsItsCache: Buffering, "TD-01", "a bounce from a cached cell is refused";
    LearnsOnlyWhenCold: Buffering, "TD-02",
        is always(EntryWritten, Whole, LeaveOut).when(Warm),
        "cache headers are read only when no entry covered the request";
    SignInClearsTheCache: Learning, "LG-07", "a sign-in empties the cache";
}
