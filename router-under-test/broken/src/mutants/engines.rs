//! Both: what clients of GitLab need of a router, and what HTTP libraries do by themselves.

use crate::entry::mutants;

mutants! {
    DropsPrivateTokens: Both, "Z-68",
        is always(CellRequest, field("private-token"), LeaveOut),
        "Private-Token of a request does not reach the cell";
    DropsFieldsOfScripts: Both, "Z-68",
        "Origin and X-CSRF-Token of a request do not reach the cell";
    FoldsSpacesInValues: Both, "Z-68",
        "two spaces inside the value of a field reach the cell as one";
    DecompressesRequests: Both, "Z-68", "the HTTP library decompresses the body of a request";
    DropsFieldsOfRegistries: Both, "RT-08",
        "the Docker- fields of a response do not reach the user";
    AnswersOptionsItself: Both, "RT-01",
        "an OPTIONS that a browser sends ahead gets a 204 of the router";
    RefusesUnknownMethods: Both, "Z-98", "a method outside a fixed list gets 501";
    NeverSends100: Both, "Z-21",
        is always(Interim, Whole, LeaveOut),
        "a user who waits for 100 before sending a body gets nothing";
    DecompressesResponses: Both, "Z-77", "the HTTP library decompresses the body of a response";
    MarksTagsOfCodedContent: Both, "Z-77", "the ETag of a compressed response gets a suffix";
    ZeroesLengthsOfHead: Both, "Z-21", "a response without a body says Content-Length: 0";
    JoinsCookieLinesByCommas: Both, "Z-46",
        "several Cookie lines of a request are joined with a comma";
    DropsLengthsOfZero: Both, "Z-69", "a POST with an empty body is sent without Content-Length";
    DropsAuthorizationAtAnotherOrigin: Buffering, "BF-04",
        is always(CellRequest, field("authorization"), LeaveOut).when(AfterBounce),
        "the HTTP library resends a request to another host without Authorization";
}
