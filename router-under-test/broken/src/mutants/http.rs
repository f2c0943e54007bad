//! Both: a proxy's duties towards requests and responses.

use crate::entry::mutants;

mutants! {
    DecodesEncodedSlashes: Both, "Z-13", "%2F in the path is forwarded as a slash";
    CollapsesSlashes: Both, "Z-13", "doubled slashes are merged";
    LowerCasesPaths: Both, "Z-13",
        is always(UserRequest, Letters, Constant),
        "paths are lower-cased";
    DropsAnEmptyQuery: Both, "Z-13", "the question mark of an empty query is removed";
    ResolvesDotSegments: Both, "Z-13", "dot segments are resolved";
    UpperCasesEscapes: Both, "Z-13", "%2f is forwarded as %2F";
    TrimsTheLastSlash: Both, "Z-13",
        is always(UserRequest, FinalSlash, LeaveOut),
        "a trailing slash is removed from the path";
    OverwritesRequestIds: Both, "Z-31",
        is always(CellRequest, field("x-request-id"), Constant),
        "the user's request id is replaced";
    DropsExtensionFields: Both, "Z-31", "request fields that begin with X- do not reach the cell";
    PassesSpoofedFields: Both, "Z-04", "internal fields of users reach the cells";
    NamesTheCell: Both, "RT-12", "a field of each response names the cell that gave it";
    NamesTheCellWhenItRefuses: Both, "Z-58",
        "the page of a refusal names the cell that could not be reached";
    RefusesWith500: Both, "Z-35", "every refusal is a 500";
    LeaksTheRedirectField: Both, "Z-37", "a redirect header that is not followed reaches the user";
    LeaksTheCacheField: Both, "Z-03", "the cache header reaches the user";
    PassesCookiesOfTheBounce: Buffering, "Z-60",
        "the cookies of a bounce are added to those of the response";
    JoinsCookieLines: Both, "Z-05", "several Set-Cookie lines are joined into one";
    KeepsTheLastCookie: Both, "Z-05", "of several Set-Cookie lines only the last reaches the user";
    BuffersResponses: Both, "Z-59",
        "a response is read to its end before its first byte is forwarded";
    HidesTruncation: Both, "Z-41", "a truncated response reaches the user as a complete one";
}
