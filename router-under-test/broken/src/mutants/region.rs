//! Both: the first pick, and cells of other regions.

use crate::entry::mutants;

mutants! {
    AlwaysAsksTheFirstCell: Buffering, "BF-11",
        is always(ColdPick, Order, Constant),
        "the first cell of the region is always picked";
    AsksByHashOfThePath: Buffering, "BF-11", "the picked cell is a hash of the path";
    AsksByHashOfTheUser: Buffering, "BF-11", "the picked cell is a hash of the user's cookie";
    SticksToOneCell: Buffering, "BF-11", "the cell is picked once per process";
    AlwaysPreFlightsTheFirstCell: Learning, "LN-17",
        is always(ColdPick, Order, Constant),
        "the first cell of the region is always picked";
    PreFlightsByHashOfThePath as AsksByHashOfThePath: Learning, "LN-17",
        "the cell of a pre-flight is a hash of the path";
    PreFlightsByHashOfTheUser as AsksByHashOfTheUser: Learning, "LN-17",
        "the cell of a pre-flight is a hash of the user's cookie";
    PreFlightsOneCell as SticksToOneCell: Learning, "LN-17",
        "the cell of pre-flights is picked once per process";
    PrefersTheFirstCell: Both, "Z-76", "the first cell of the region gets seven of eight picks";
    PicksFromAllRegions: Buffering, "RG-01",
        "the random pick is made among the cells of all regions";
    PreFlightsAllRegions as PicksFromAllRegions: Learning, "LN-17",
        "the cell of a pre-flight is picked among all regions";
    AsksTheLatestCellFirst: Buffering, "RG-01",
        "a request without a cache entry goes to the latest cell";
    LoadsItsOwnRegionOnly: Both, "RT-06", "cells of other regions are ignored";
    SendsUsersAbroad: Both, "RG-02",
        "the user is redirected to a cell of another region instead of served through this router";
    TakesTheLatestCellForUnknown: Buffering, "UN-02",
        "a bounce to the latest cell is read as a 404";
    TakesTheLatestCellForNobody as TakesTheLatestCellForUnknown: Learning, "UN-01",
        "a learn response that names the latest cell is read as a 404";
    HasRoutesBuiltIn: Both, "RT-02", "well-known namespaces are routed by a built-in table";
    KnowsHowPathsLook: Both, "RT-10",
        "a first segment with unusual characters gets a 404 of the router";
    TakesUnknownCellsForHosts: Both, "Z-02", "the name of an unknown cell is used as a host name";
    ReplacesUnknownCells: Both, "Z-02", "an unknown cell is replaced by any cell of the region";
    NeedsTwoCells: Both, "SC-04", "requests are refused where the region has a single cell";
}
