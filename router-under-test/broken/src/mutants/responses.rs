//! Learning: the meaning of a learn response.

use crate::entry::mutants;

mutants! {
    NeedsTheExactMember: Learning, "LN-04",
        "a learn response without the optional member exact is invalid";
    TakesEveryResponseForExact: Learning, "LN-05", "every learn response is cached as exact";
    TakesExactFalseForExact: Learning, "LN-05",
        "a learn response with `exact: false` is read as exact";
    IgnoresExact: Learning, "LN-06",
        is always(LearnResponse, Exactness, LeaveOut),
        "every learn response is cached as a prefix";
    ExactWithTheQuery: Learning, "LN-06",
        "an exact learn response is cached with the query of the request";
    ExactWithoutTheLastSlash: Learning, "LN-06",
        "exact paths are compared without a trailing slash";
    KnowsRoutableSourcesOnly: Learning, "LN-07",
        "a learn response whose source is not routable is refused";
    KnowsTwoSourcesOnly: Learning, "Z-64",
        "a learn response whose source is neither routable nor fixed is refused";
    ServesFixedPagesAnywhere: Learning, "LN-16",
        "a request goes to the cell that got the pre-flight when the source is fixed";
    ServesNewEndpointsWhereItAsks: Learning, "UN-05",
        "a request for one path of the latest cell goes to the cell that got the pre-flight";
    SendsToTheAskedCell: Learning, "LN-18",
        "the learn response is cached, but the request goes to the cell that got the pre-flight";
    TakesLearntCellsForNames: Learning, "LN-18",
        "the cell of a learn response is looked up among names (Cell EU0) instead of ids \
         (cell_eu0)";
    DoesNotRememberFixedResponses: Learning, "LN-05",
        "only learn responses with a routable source are cached";
    SignsInWhereItAsks: Learning, "LN-19",
        "the sign-in page is requested from any cell, as under buffering";
    TreatsTheDashboardLikeRoot: Learning, "LN-20",
        "/dashboard is sent to any cell without a pre-flight";
    ServesAdminAnywhere: Learning, "AD-04", "/admin is sent to any cell without a pre-flight";
    RefusesUnknownLearnMembers: Learning, "Z-30",
        "a learn response with an unknown member is invalid";
    CrashesOnAWrongType: Learning, "Z-30", "a learn response with a wrong type ends the process";
    TakesNoOwnerForAnError: Learning, "PR-06",
        "a pre-flight that finds no owner becomes a 502, even for a path that any cell can serve";
    ServesUnknownPlacesItself: Learning, "Z-34",
        "a pre-flight that finds no owner becomes a 404 of the router";
    RemembersThatNobodyKnew: Learning, "Z-34",
        "the cell that sent a pre-flight's 404 is cached for the path";
    SendsUnknownPlacesAnywhere: Learning, "Z-34",
        "a path without an owner goes to a cell of another region that is not the latest";
    TakesTheLegacyCellForTheLatest: Learning, "UN-06",
        "a path without an owner goes to Cell US0, whichever cell the topology names as the latest";
}
