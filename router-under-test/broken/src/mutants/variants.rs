//! Correct routers that differ where the documents leave a choice open.

use crate::entry::{Variant, optional};
use crate::kind::Change;
use crate::name::kebab;
use crate::protocol::Protocols;

/// The switches and the table: `Name: Protocols, "summary";`, and before the summary, where it
/// applies, `claims "capability"` or `warned_of ["requirement"]`.
macro_rules! variants {
    ($($name:ident: $protocols:ident, $(claims $capability:literal,)?
        $(warned_of [$($warning:literal),*],)? $summary:literal;)*) => {
        /// The choices that the documents leave open.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Variation {
            $($name,)*
        }

        pub(crate) const TABLE: &[Variant] = &[$(Variant {
            name: kebab!($name),
            protocols: Protocols::$protocols,
            summary: $summary,
            capability: optional!($($capability)?),
            warnings: &[$($($warning),*)?],
            change: Change::Variation(Variation::$name),
        }),*];
    };
}

variants! {
    Plain: Both, "the base itself: no single flight, streamed responses, connections kept alive";
    SingleFlight: Learning, "simultaneous misses of one path share a pre-flight";
    ReordersFields: Both, "fields of different names are forwarded in reverse order";
    ConnectionPerHop: Both, "each request to a cell has a connection of its own";
    ChunkedBodies: Both, "bodies are chunked in both directions";
    KnownLengths: Both, "a response that arrives at once is sent with Content-Length";
    RootWithoutPreFlight: Learning, "/ goes to a cell of the region without a pre-flight";
    BarePrefixNotCovered: Buffering, "the prefix /a/ does not cover the bare /a";
    PicksInTurn: Both, "the cells of the region are picked in turn";
    UnknownToTheLatest: Learning, "a path without an owner goes to the latest cell";
    TitleCaseNames: Both, "field names are written in title case";
    AddsProxyFields: Both, "Via, X-Forwarded fields and Server are added";
    RefusesARepeatedCell: Buffering, "a cell that bounces to itself is refused at once";
    EncodesSlashes: Learning, "path_info comes first and has its slashes encoded";
    RefusesOddResponses: Learning,
        "a learn response that does not cover the path, or covers all, is a refusal";
    GivesUpAfterOneFailedPreFlight: Learning,
        "no other cell gets a pre-flight after one failed or timed out";
    KeepsRoutesInCookies: Both, claims "cookie-cache",
        "routes of a user are kept in a cookie, as hints for a cold router";
    Delays404s: Both, claims "not-found-delay",
        "a cell's 404 reaches the user after a random delay";
    Delays404sUnasked: Both,
        "a cell's 404 is delayed by up to half a second, though the topology asks for no delay";
    NormalisesForTheCache: Both,
        "paths are normalised for the cache lookup, and forwarded unchanged";
    ReadsCellsGenerously: Both,
        "all spellings of a cell are accepted, and case is ignored in headers";
    CarriesWebsockets: Both, claims "upgrade", "WebSocket upgrades are supported";
    AsksTheLatestDeployment: Learning, warned_of ["LN-17"],
        "every pre-flight goes to the latest deployment, and to a cell of the region only when \
         that one is down";
    AsksAnyRegion: Learning, warned_of ["LN-17"],
        "a pre-flight goes to a cell picked among all regions";
    LearnsPerMethod: Learning, warned_of ["LN-21"], "the method is part of the cache key";
    PicksByWeight: Both, warned_of ["Z-76"],
        "the cells of the region are picked at random, the first one less often";
    JoinsLines: Both, "field lines of one name are joined, except for Set-Cookie";
    DropsAnEntryThatBounced: Buffering, "an entry whose cell bounced is removed";
    KeepsEntriesWithoutEnd: Buffering,
        "an entry has no lifetime: it is used until it is evicted or its cell bounced";
    StreamsUploads: Buffering, "a body beyond the limit goes to the cell of an entry as it arrives";
    SendsAGetAgain: Both, warned_of ["LN-25", "Z-52"],
        "a GET or HEAD is resent once when its connection broke before a byte of the response";
    LenientFraming: Both, warned_of ["Z-55"],
        "a request that RFC 9112 lets a server repair is repaired, not refused";
    RefusesZeroBytes: Both, "a path with %00 in it receives 400";
    ClosesAfterEachResponse: Both,
        "a user's connection is closed after each response, even if more requests arrived";
    SendsTheCellsHost: Both, "the cell gets its own Host, and not the public one";
    DropsThePortOfTheHost: Both, "the public host is forwarded without its port";
    KeepsTheHostBesideTheTarget: Both,
        "the Host field is forwarded unchanged, even if an absolute target names another host";
    RemovesWhatUsersClaim: Both,
        "fields of users that claim an address, a scheme or another target are removed, as X-Real-IP";
    SkipsMalformedFields: Both, "an invalid line in the head of a response is dropped";
    Shortens304s: Both,
        "a 304 keeps no metadata of the representation but what RFC 9110 15.4.5 lists";
    AllowsTwoMoreForwards: Both, "Max-Forwards is forwarded as 2 at most";
    TakesHalfClosedUsersForGone: Both, "the request of a user who half-closes ends at the cell";
    RefusesBadRequestsWith502: Both,
        "CONNECT receives 502, and so does a request whose body goes wrong on its way";
    ForgetsAfterA404: Both, "a 404 removes the entry that led to it";
    ForgetsAfterAFailure: Both, "an entry is removed when its cell gave no response";
    AsksWhileTheBodyArrives: Learning,
        "a body is read before and while the owner is asked for, and one that goes wrong is refused \
         at once";
    TakesUnknownMethodsForMalformed: Both, warned_of ["Z-98"],
        "a method that is not one of RFC 9110, and not PATCH, receives 400";
    LearnsFromPagesToo: Learning, "the other proposal's cache header is used as well";
    EmptiesAFullCache: Both, "a full cache is emptied";
    KeepsTheFirstEntries: Both, "a full cache accepts no new entry";
    KeepsTenTimesAsMany: Both, "ten times as many entries are kept, and any of them is evicted";
    KeepsALargeHeap: Both,
        "memory grows with the requests up to a limit, and is kept, as garbage collectors do";
    ServesOldUsers: Both, claims "http10-clients", "users may speak HTTP/1.0";
    RefusesWhatIsBelowTheLearnPath: Learning, warned_of ["UN-08"],
        "a path below the learn path is refused like the learn path itself";
    // Beside its own row, all SHOULDs whose scenarios visit a path that no cell knows.
    HasAPageForUnknownPaths: Learning, warned_of ["UN-08", "PR-03", "Z-27", "SC-04", "Z-26"],
        "a 404 becomes a page of the router where the pre-flight found no owner";
}
