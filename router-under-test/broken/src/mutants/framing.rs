//! Both: the strictness of HTTP, the state of a connection, and what happens once.

use crate::entry::mutants;

mutants! {
    GoesByTheLengthBesideChunks: Both, "Z-54",
        "of Content-Length and chunked in a request the length counts, and both are forwarded";
    FindsChunkedAnywhere: Both, "Z-54",
        "every Transfer-Encoding that contains the word chunked counts as chunked";
    LosesFoldedCodings: Both, "Z-95",
        "a folded Transfer-Encoding of a request is dropped, and the length beside it counts";
    TakesARefusedChunkForTheLast: Both, "Z-54",
        "a later chunk whose size cannot be read is refused, and taken for the last of its body";
    IgnoresBodiesOfGets: Both, "Z-54", "the body of a GET is read as the next request";
    TakesTheLastLengthOfRequests: Both, "Z-54",
        "of two Content-Length fields of a request the last counts, and the rest of the body is \
         the next request";
    PassesKeepAliveOfResponses: Both, "Z-53",
        "Keep-Alive and Proxy-Connection of a response are forwarded";
    ServesWhatFollowsClose: Both, "Z-57", "a request after Connection: close is served";
    SpoilsTheLastResponse: Both, "Z-57",
        "a request with Connection: close is refused if bytes follow it";
    CarriesCookiesOfTheBounce: Buffering, "Z-60",
        "the cookies of a bounce are kept and sent to the next cell";
    CutsBodiesForKnownCells: Buffering, "Z-61",
        "a body beyond the limit is truncated and sent if a cache entry names the cell";
    ResendsGetsAfterHalfAnResponse as ResendsAfterHalfAnResponse: Buffering, "Z-17",
        "a GET whose response was truncated is resent";
}
