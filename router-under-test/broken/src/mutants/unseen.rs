//! Both: mutations that show neither in one request nor in the choice of cells.

use crate::entry::mutants;

mutants! {
    NamesOtherCellsWhenItRefuses: Both, "Z-58",
        "the page of a refusal lists cells that got no request, in all their spellings";
    PrintsTheAddressWhenItRefuses: Both, "Z-58",
        "the page of a refusal names the address that could not be reached";
    TypesRefusalsTwice: Both, "Z-99",
        is always(Refusal, field("content-type"), Double),
        "a refusal has two lines of Content-Type";
    TellsTheUpstreamAddress: Both, "RT-12",
        "a field of each response has the address of the cell that sent it";
    LeavesOutTheThirdCell: Buffering, "BF-11",
        "the random pick is made between the first two cells";
    NeverPreFlightsTheThirdCell as LeavesOutTheThirdCell: Learning, "LN-17",
        "the random pick is made between the first two cells";
    ClaimsADelayAndHasNone: Both, "Z-80", claims "not-found-delay", "a 404 is not delayed";
    Adds50MsToWarmRequests: Both, "Z-29", "a cache lookup takes 50 ms";
    StaysWithTheLatestCell: Buffering, "UN-02",
        "after a bounce to the latest cell, that cell gets every request without a cache entry";
    CountsFromTheQuestion: Learning, "Z-33",
        "the TTL of an entry begins when the pre-flight is sent";
    ServesSuggestionsItself: Both, "TD-07",
        "the router responds to search suggestions with an empty list";
    SearchesEveryCell: Both, "TD-08", "a global search goes to each cell of the installation";
    TurnsWaitersAway: Learning, "Z-28", "a single-flight waiter is told to retry";
    JoinsLinesWithSemicolons: Both, "Z-46", "field lines of one name are joined with semicolons";
}
