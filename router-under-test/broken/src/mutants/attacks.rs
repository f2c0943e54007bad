//! Both: what attacks on proxies try, beyond the framing of one message.

use crate::entry::mutants;

mutants! {
    PassesUnderscoredNames: Both, "Z-83",
        "fields that a user must not send pass with underscores for hyphens";
    ForwardsTheLastHop: Both, "Z-84", "an OPTIONS with Max-Forwards 0 is forwarded";
    KeepsMaxForwards: Both, "Z-84", "Max-Forwards is forwarded as it came";
    EchoesTraces: Both, "Z-85", "a TRACE is responded to with all fields of the request";
    TakesStrayBytesForResponses: Both, "Z-86",
        "bytes that a cell sent on an idle connection are the response to the next request";
    PassesLinksToCells: Both, "Z-87",
        "a cell's address in Link, Refresh, Content-Location or Alt-Svc reaches the user";
    DropsCdnLoop: Both, "Z-88",
        is always(CellRequest, field("cdn-loop"), LeaveOut),
        "CDN-Loop of a request does not reach the cell";
    KeepsTheFirstHost: Both, "Z-89",
        "the host of a connection's first request is that of all its requests";
    DropsEarlierVia: Both, "Z-90",
        is always(CellRequest, field("via"), LeaveOut),
        "Via of a request does not reach the cell";
    ReadsEndlessChunkExtensions: Both, "Z-93",
        "chunk extensions of any length are read and dropped";
    LimitsChunkExtensionsOneByOne: Both, "Z-93",
        "chunk extensions are limited in each chunk, and not in a body";
    ServesTheRestOfItsOwnResponses: Both, "Z-54",
        "the body of a request that the router responds to itself is read as the next request";
    ForgetsBodiesThatItDidNotAskFor: Both, "Z-54",
        "behind Expect, a body for which 100 was not sent is read as the next request";
    GivesUpPausedBodies: Both, "Z-54",
        "the rest of a body that pauses for too long is read as the next request";
    ServesTheRestOfRefusedRequests: Both, "Z-54",
        "the body of a request that was refused early is read as the next request";
    DropsFieldsBeyondNinety: Both, "Z-47",
        "of the fields of a request, those after the ninetieth are dropped";
    ServesLearnWhenEscapedTwice: Learning, "Z-10",
        "the learn path is refused after one decoding only";
    ServesLearnWithParameters: Learning, "Z-10",
        "the learn path is not refused where a segment has parameters";
    ServesLearnWithBackslashes: Learning, "Z-10",
        "the learn path is not refused with backslashes for slashes";
    ServesLearnWithControlCharacters: Learning, "Z-10",
        "the learn path is not refused with an escaped line feed at its end";
}
