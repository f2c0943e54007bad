//! Learning: the pre-flight, and the single sending of the request.

use crate::entry::mutants;

mutants! {
    LearnsAfterA404: Learning, "LN-01",
        "the request goes to a picked cell, and a pre-flight follows only after a 404";
    PostsThePreFlight: Learning, "LN-01", "the pre-flight is a POST";
    AsksAtTheOtherLearnPath: Learning, "LN-02",
        "the learn path of the other document is used instead of the configured one";
    PathInfoWithQuery: Learning, "LN-03", "path_info is the whole target with its query";
    AlwaysAsksForGet: Learning, "LN-03",
        is always(PreFlight, MethodParameter, Constant),
        "the method parameter is GET for every request";
    PathInfoWithoutSlash: Learning, "LN-03", "path_info lacks the leading slash";
    PathInfoNotEncoded: Learning, "Z-12", "path_info is not percent-encoded";
    PathInfoEncodedTwice: Learning, "Z-12", "path_info is percent-encoded twice";
    PathInfoWithBarePlus: Learning, "Z-12",
        "a plus in path_info is not encoded, and decodes to a space";
    PathInfoDecoded: Learning, "Z-12",
        "path_info is decoded before it is encoded, so that %2F becomes a slash";
    SendsTheBodyWithThePreFlight: Learning, "LN-11", "the pre-flight carries the user's body";
    MirrorsWrites: Learning, "LN-10", "a write also goes to another cell of the region";
    SendsALateCopy: Learning, "LN-10",
        "a copy of every request is sent to another cell a little later";
    RetriesFailedWrites: Learning, "LN-10",
        "a write that failed with an error response is resent to the next cell";
    HedgesReads: Learning, "LG-06",
        "a GET is sent to its cell twice, and the faster response is used";
    BuffersTheBody: Learning, "LN-12", "the body is read to its end before the request is sent";
}
