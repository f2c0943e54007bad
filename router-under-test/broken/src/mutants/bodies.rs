//! Both: bodies, their buffering, and their ends.

use crate::entry::mutants;

mutants! {
    CutsBodiesAtTheLimit: Buffering, "Z-61", "a body beyond the limit is truncated and sent";
    RefusesBodiesAtTheLimit: Buffering, "Z-20", "a body of exactly the allowed size is refused";
    FailsAboveTheLimit: Buffering, "Z-20", "a body beyond the limit is an internal error";
    HasALimitOfItsOwn: Buffering, "Z-20",
        "no body beyond 32 KiB is accepted, whatever the topology says";
    DropsChunkedBodies: Both, "Z-21", "a request without Content-Length is sent without its body";
    DropsChunkedBodiesOnResend: Buffering, "Z-21", "only a body with Content-Length is resent";
    SendsChunksInChunks: Both, "Z-21",
        "a chunked body is forwarded with its chunk framing as content";
    AsksForBodiesAndDropsThem: Both, "Z-21", "a body that followed 100 is lost";
    RefusesExpectations: Both, "Z-21", "every Expect gets 417";
    SendsABodyToHead: Both, "Z-21", "HEAD is sent to the cell as GET, and its response has a body";
    WaitsForBodiesThatDoNotCome: Both, "Z-21",
        "a response to HEAD and a 304 are expected to have a body of their Content-Length";
    EndsEmptyResponsesWithAChunk: Both, "Z-21",
        "a response to HEAD and a 204 end with a last chunk";
    CutsLongPolls: Both, "Z-24", "the response timeout is a third of the configured one";
    TimesWholeUploads: Both, "Z-97",
        "the response timeout begins with the head of a request, and counts while its body arrives";
    TimesWholeDownloads: Both, "Z-97",
        "a response that takes longer than the response timeout is cut off";
    Turns204Into200: Both, "Z-24",
        is always(UserResponse, Status, Constant).when(AtStatus(204)),
        "a 204 becomes a 200 with an empty body";
    ReadsResponsesAhead: Both, "Z-25",
        "a response is read as fast as the cell sends, even when the user does not read";
    ReadsUploadsAhead: Learning, "Z-25",
        "a request body is read as fast as the user sends, even when the cell does not read";
    GathersResponsesIntoBlocks: Both, "Z-25", "a response is forwarded in blocks of 64 KiB";
    StaysOnePartBehind: Both, "Z-25",
        "each part of a response is forwarded only when the next one has arrived";
    EndsCutChunksWell: Both, "Z-41",
        "a truncated chunked response gets its last chunk from the router";
    FillsUpCutResponses: Both, "Z-41", "a truncated response is filled up with spaces";
    TakesCutHeadsForResponses: Both, "Z-48", "a truncated head counts as a complete one";
    KeepsPagesForEachUser: Both, "CA-17",
        "pages are cached for each user, and are shown again after a change";
    CountsLifeFromTheResponse: Learning, "Z-33",
        "the lifetime of an entry begins with the response to the first request, not with the \
         learn response";
}
