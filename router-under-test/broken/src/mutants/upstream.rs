//! Both: responses of cells, and the fields that tell a cell about the user.

use crate::entry::mutants;

mutants! {
    PassesMalformedResponsesOn: Both, "Z-48", "an invalid response is forwarded byte for byte";
    TakesGarbageFor200: Both, "Z-48", "an invalid response becomes the body of a 200";
    TakesTheFirstLength: Both, "Z-49",
        "of two Content-Length fields of a response the first counts";
    TakesTheLastLength: Both, "Z-49", "of two Content-Length fields of a response the last counts";
    IgnoresRanges: Both, "Z-51", "Range is removed, so that the user gets the whole content";
    DropsValidators: Both, "Z-51", "conditions of a request are removed";
    Turns206Into200: Both, "Z-51",
        is always(UserResponse, Status, Constant).when(AtStatus(206)),
        "a 206 becomes a 200";
    Turns304Into200: Both, "Z-51",
        is always(UserResponse, Status, Constant).when(AtStatus(304)),
        "a 304 becomes an empty 200";
    MarksCacheHits: Both, "Z-27",
        "a field tells whether the cell came from the cache, even on a 404";
    SleepsOnWarmRequests: Both, "Z-29", "a request with a cache entry is delayed by two seconds";
    Delays404sFarLonger: Both, "Z-80", claims "not-found-delay",
        "a 404 is delayed by twenty times the configured limit";
    AcceptsAnyHost: Both, "Z-62", "a request with no Host or several is accepted";
    TrustsXForwardedHost: Both, "Z-26", "the public host is read from the user's X-Forwarded-Host";
    TrustsXForwardedProto: Both, "Z-26",
        "the public scheme is read from the user's X-Forwarded-Proto";
    StripsWhatUsersName: Both, "Z-26",
        "a user can remove the router's X-Forwarded-Host by naming it in Connection";
    PassesACellsLocationOn: Both, "Z-26", "a Location with the address of a cell reaches the user";
}
