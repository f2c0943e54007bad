//! Both: concurrent requests.

use crate::entry::mutants;

mutants! {
    OneSlotForAllRequests: Both, "RT-08",
        "the current request is kept in a shared field, where the next one overwrites it";
    OneTargetForStaleEntries: Buffering, "BF-06",
        "the target is kept in a shared field, and a request that the cell of an entry bounced goes on \
         with the last one that came";
    OneBodyForAllRequests: Buffering, "BF-04",
        "the body is kept in a shared field, so that a request is resent with the last one that \
         came";
    OneLimitForAllCells: Both, "Z-91",
        "64 requests may be under way, whichever cells they wait for";
    KeepsPlacesOfUsersWhoLeft: Both, "Z-92",
        "a cell takes 64 requests at once, also of users who have gone in the meantime";
    ClosesConnectionsOfOthers: Both, "Z-66",
        is always(Leaving, Others, LeaveOut),
        "a user who leaves ends the connection to a cell on which others wait as well";
    AbandonsThoseWhoWait: Learning, "Z-66",
        "requests that wait for a pre-flight wait for ever if the user whose request sent it \
         leaves";
    RefusesWhileLearning: Learning, "LN-18",
        "a request is refused while a pre-flight for its path is in flight";
    JoinsPreFlightsByTopLevel: Learning, "RT-14",
        "a request waits for any pre-flight in flight under its first segment and uses its \
         response";
}
