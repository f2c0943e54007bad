//! Both: the bytes of requests, and the boundaries between them.

use crate::entry::mutants;

mutants! {
    AcceptsLengthWithChunks: Both, "Z-54",
        "of Content-Length and chunked in a request the chunks count, and the rest is the next \
         request";
    AcceptsTwoLengths: Both, "Z-56", "of two Content-Length fields of a request the first counts";
    KeepsTheLengthBesideChunks: Both, "Z-95",
        "of Content-Length and chunked in a request the chunks count, and both are forwarded";
    ReadsChunksWithParameters: Both, "Z-94",
        "a request whose coding is chunked with a parameter is read as chunks";
    RefusesLettersLikeLineEnds: Both, "Z-13",
        "a target with J, M or a backtick, which differ from LF, CR and a blank in one bit, is \
         refused";
    PassesOtherExpectations: Both, "Z-67",
        "an Expect that is not 100-continue alone is forwarded";
    KeepsTheLengthOfA101: Both, "Z-78", claims "upgrade",
        "Content-Length of a 101 is forwarded to the user";
    PassesNulBytesOn: Both, "Z-63", "a NUL in a field's value is forwarded";
    AcceptsBareLineFeeds: Both, "Z-55", "a bare line feed ends a line of a head";
    AcceptsBareCarriageReturns: Both, "Z-55", "a bare carriage return in a head becomes a space";
    PassesFieldsThatConnectionNames: Both, "Z-22", "fields that Connection names are forwarded";
    PassesConnectionOn: Both, "Z-22", "Connection of a request is forwarded";
    PassesTeOn: Both, "Z-53", "TE of a request is forwarded";
    PassesKeepAliveOn: Both, "Z-53", "Keep-Alive and Proxy-Connection of a request are forwarded";
    PassesHopFieldsOfResponses: Both, "Z-22",
        "hop-by-hop fields of a response are forwarded to the user";
    OpensTunnels: Both, "Z-42", "CONNECT opens a tunnel to any host";
    RefusesAbsoluteTargets: Both, "Z-42", "an absolute target is refused";
    CutsOnlyTheScheme: Both, "Z-42",
        "only the scheme of an absolute target is removed, so that the host becomes part of the \
         path";
    ConnectsToAbsoluteHosts: Both, "Z-42", "an absolute target is sent to the host that it names";
    RespondsOutOfOrder: Both, "Z-43",
        "of two pipelined requests the later one gets its response first";
    DropsPipelinedRequests: Both, "Z-43", "bytes read after a request are dropped";
    SendsChunksToOldUsers: Both, "Z-44", claims "http10-clients",
        "a response without a length is chunked for HTTP/1.0 users too";
    AsksOldUsersForTheBody: Both, "Z-44", claims "http10-clients",
        "an HTTP/1.0 user that sends Expect gets 100";
    DropsHalfClosedUsers: Both, "Z-45",
        "a half-closed user gets no response, and the cell works on it to the end";
    KeepsTheLastLineOfAName: Both, "Z-46",
        "of several request fields of one name only the last is forwarded";
    ReversesLinesOfAName: Both, "Z-46", "field lines of one name are forwarded in reverse order";
    KeepsTheFirstLineOfResponses: Both, "Z-46",
        "of several response fields of one name only the first is forwarded";
    SortsLinesOfResponses: Both, "Z-46", "response fields are sorted, lines of one name too";
    CutsLongFields: Both, "Z-47", "a field longer than 8 KiB is truncated";
    DropsLateFields: Both, "Z-47", "field lines after the fiftieth are dropped";
    FailsOnLongHeads: Both, "Z-47", "a head of more than 16 KiB is an internal error";
    AcceptsABlankBeforeTheColon: Both, "Z-50", "a space before the colon of a field is accepted";
    TakesFoldedLinesForFields: Both, "Z-50", "a folded line is read as a field of its own";
    DropsFoldedLines: Both, "Z-50", "a folded line is dropped";
}
