//! Both: mutations whose cause and effect stand apart. Each needs several steps, in this order, so
//! that nobody had written a scenario for it before exploration found one.

use crate::entry::mutants;

mutants! {
    CorrectsAnEntryOnce: Buffering, "RT-09",
        "an entry that was corrected before is not corrected again";
    DropsTheBodyOfTheMoved: Buffering, "BF-04",
        "a body is not sent again after a bounce from a cached cell";
    KeepsAMemoOfPaths: Buffering, "Z-38",
        "cells of full paths are kept beside the entries, and a corrected entry leaves them";
    CrossesLearnResponses: Learning, "CA-07",
        "of two pre-flights in flight, the entry of the later response names the earlier one's \
         cell";
    OuterEntriesKeepInnerOnesAlive: Learning, "LN-13",
        "an expired entry is used while an entry for a prefix of it lives";
}
