//! Failing pre-flights, and their privacy.

use crate::entry::mutants;

mutants! {
    ServesLearnToUsers: Learning, "Z-10", "the learn path is served to users like other paths";
    ServesLearnSpeltOtherwise: Learning, "Z-10",
        "the learn path is closed to users in one spelling only, not as %6Cearn or with a doubled \
         slash";
    SendsCookiesWithThePreFlight: Learning, "Z-11", "the pre-flight carries the user's cookies";
    SendsTokensWithThePreFlight: Learning, "Z-11",
        "the pre-flight carries the user's Authorization and Private-Token";
    SendsAllFieldsWithThePreFlight: Learning, "Z-11",
        "the pre-flight is made from a copy of the user's request";
    AsksWithoutEnd: Learning, "Z-14", "pre-flights are repeated without a limit until one succeeds";
    TakesHalfALearnResponse: Learning, "Z-14", "a truncated learn response is used";
    TakesErrorsForNobody: Learning, "Z-35",
        "a pre-flight that failed with 5xx is treated like one that found no owner";
    WaitsForeverForPreFlights: Learning, "Z-14", "pre-flights have no timeout";
    RemembersFailedCells: Learning, "Z-14",
        "a cell is cached for the path although its learn response is invalid";
    RemembersFailedPreFlights: Learning, "Z-15",
        "a path whose pre-flight failed is refused from then on";
    RemembersMissingPlaces: Both, "Z-15",
        "a 404 is cached, and the router responds with it from then on";
}
