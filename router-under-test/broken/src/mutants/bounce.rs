//! Buffering: the 302 of a cell and its two headers.

use crate::entry::mutants;

mutants! {
    PassesTheBounceOn: Buffering, "BF-03",
        "a 302 with the redirect header is forwarded to the user";
    FollowsBouncesOfGetsOnly: Buffering, "BF-03",
        "a 302 with the redirect header is followed for reads only; a write gets the 302";
    FollowsRedirectsForTheUser: Buffering, "BF-09",
        "every 302 is followed by the router, even one to another page";
    FollowsRedirectsInside as FollowsRedirectsForTheUser: Learning, "RT-08",
        "a 302 to another page is followed by the router, so that its page appears under the old \
         URL";
    MakesLocationsAbsolute: Buffering, "BF-09",
        "a relative Location is completed with the address of the cell";
    BouncesOnAnyStatus: Buffering, "Z-37", "the redirect header is followed whatever the status";
    BouncesOnlyOnce: Buffering, "UN-03",
        is always(Topology, MaxHops, Operation::Number(2)),
        "a second bounce is treated as a loop";
    BouncesFortyTimes: Buffering, "Z-01",
        is always(Topology, MaxHops, Operation::Number(40)),
        "the limit on bounces is far above the configured one";
    ShowsMalformedBounces: Buffering, "Z-35",
        "an invalid redirect header is removed, and its 302 is forwarded to the user";
    TakesTheFirstOfTwoRedirects: Buffering, "Z-35",
        "of two redirect headers the first is followed instead of refusing the response";
    ConfirmsTheOwner: Buffering, "BF-12",
        "the first response of a picked cell only confirms the owner, and the request is sent \
         again";
    SendsToAllOfTheRegion: Buffering, "RT-01",
        "without an entry every cell of the region gets the request, and one response is used";
    TakesHeaderCellsForIds: Buffering, "BF-10",
        "the redirect header is looked up among ids (cell_eu0) instead of names (Cell EU0)";
    WantsJsonInHeaders: Buffering, "CA-02", "the headers are parsed as JSON";
    KeepsBlanksInHeaders: Buffering, "BF-10",
        "spaces around members and values are read as part of them";
    RefusesUnknownHeaderMembers: Buffering, "Z-40",
        "an unknown member makes the whole header invalid";
    RefusesBadCacheHeaders: Buffering, "Z-36",
        "a response with an invalid cache header becomes a 502 although the request was processed";
    GuessesAtBadCacheHeaders: Buffering, "Z-36", "the prefix of an invalid cache header is guessed";
    BelievesTheBouncingCell: Buffering, "Z-06",
        "a cache header on the 302 is cached for the cell that sent it";
    AsksTheLearnEndpointToo: Buffering, "BF-01",
        "cold requests are preceded by the other proposal's pre-flight";
    AsksWithHeadFirst: Buffering, "BF-01",
        "a HEAD request finds the owner before the request itself is sent";
}
