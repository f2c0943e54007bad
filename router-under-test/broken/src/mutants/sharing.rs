//! Both: what one request on a user's connection leaves for the next, which may be another user's.

use crate::entry::mutants;

mutants! {
    GivesTheNextUserTheCookie: Both, "Z-96",
        is always(UserRequest, field("cookie"), Inherit(Connection)),
        "a request without Cookie gets the one of the request before it on its connection";
    GivesTheNextUserTheCredentials: Both, "Z-96",
        "a request without Authorization or Private-Token gets that of the request before it on \
         its connection";
    GivesTheNextUserTheQuery: Both, "Z-96",
        is always(UserRequest, Query, Inherit(Connection)),
        "a target without a query gets that of the request before it on its connection";
    GivesTheNextUserTheBody: Both, "Z-96",
        "a request without a body gets that of the request before it on its connection";
    CountsBodiesOfAConnectionTogether: Buffering, "Z-96",
        "the limit for a body counts all bodies of a connection";
}
