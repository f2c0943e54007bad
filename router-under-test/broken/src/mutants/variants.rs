//! Correct routers that differ where the documents leave a choice open.

use crate::entry::{Variant, variant};
use crate::kind::Variation;
use crate::protocol::Protocols;

pub(crate) const TABLE: &[Variant] = &[
    variant(
        "plain",
        Protocols::Both,
        Variation::Nothing,
        "the base itself: no single flight, streamed responses, connections kept alive",
    ),
    variant(
        "single-flight",
        Protocols::Learning,
        Variation::SingleFlight,
        "simultaneous misses of one path share a pre-flight",
    ),
    variant(
        "reorders-fields",
        Protocols::Both,
        Variation::ReordersFields,
        "fields of different names are forwarded in reverse order",
    ),
    variant(
        "connection-per-hop",
        Protocols::Both,
        Variation::ConnectionPerHop,
        "each request to a cell has a connection of its own",
    ),
    variant(
        "chunked-bodies",
        Protocols::Both,
        Variation::ChunkedBodies,
        "bodies are chunked in both directions",
    ),
    variant(
        "known-lengths",
        Protocols::Both,
        Variation::KnownLengths,
        "a response that arrives at once is sent with Content-Length",
    ),
    variant(
        "root-without-pre-flight",
        Protocols::Learning,
        Variation::RootWithoutPreFlight,
        "/ goes to a cell of the region without a pre-flight",
    ),
    variant(
        "bare-prefix-not-covered",
        Protocols::Buffering,
        Variation::BareNotCovered,
        "the prefix /a/ does not cover the bare /a",
    ),
    variant(
        "picks-in-turn",
        Protocols::Both,
        Variation::RoundRobin,
        "the cells of the region are picked in turn",
    ),
    variant(
        "unknown-to-the-latest",
        Protocols::Learning,
        Variation::UnknownToLatest,
        "a path without an owner goes to the latest cell",
    ),
    variant(
        "title-case-names",
        Protocols::Both,
        Variation::TitleCase,
        "field names are written in title case",
    ),
    variant(
        "adds-proxy-fields",
        Protocols::Both,
        Variation::ProxyFields,
        "Via, X-Forwarded fields and Server are added",
    ),
    variant(
        "refuses-a-repeated-cell",
        Protocols::Buffering,
        Variation::RefusesRepeatedCell,
        "a cell that bounces to itself is refused at once",
    ),
    variant(
        "encodes-slashes",
        Protocols::Learning,
        Variation::EncodesSlashes,
        "path_info comes first and has its slashes encoded",
    ),
    variant(
        "refuses-odd-responses",
        Protocols::Learning,
        Variation::RefusesOddResponses,
        "a learn response that does not cover the path is a refusal",
    ),
    variant(
        "gives-up-after-one-failed-pre-flight",
        Protocols::Learning,
        Variation::GivesUpAfterOneFailure,
        "no other cell gets a pre-flight after one failed or timed out",
    ),
    variant(
        "keeps-routes-in-cookies",
        Protocols::Both,
        Variation::CookieCache,
        "routes of a user are kept in a cookie, as hints for a cold router",
    )
    .claiming("cookie-cache"),
    variant(
        "delays-404s",
        Protocols::Both,
        Variation::NotFoundDelay,
        "a cell's 404 reaches the user after a random delay",
    )
    .claiming("not-found-delay"),
    variant(
        "normalises-for-the-cache",
        Protocols::Both,
        Variation::NormalisesForTheCache,
        "paths are normalised for the cache lookup, and forwarded unchanged",
    ),
    variant(
        "reads-cells-generously",
        Protocols::Both,
        Variation::ReadsCellsGenerously,
        "all spellings of a cell are accepted, and case is ignored in headers",
    ),
    variant(
        "carries-websockets",
        Protocols::Both,
        Variation::Upgrade,
        "WebSocket upgrades are supported",
    )
    .claiming("upgrade"),
    variant(
        "asks-the-latest-deployment",
        Protocols::Learning,
        Variation::AsksTheLatestDeployment,
        "every pre-flight goes to the latest deployment, and to a cell of the region only when \
         that one is down",
    )
    .warned_of(&["LN-17"]),
    variant(
        "asks-any-region",
        Protocols::Learning,
        Variation::AsksAnyRegion,
        "a pre-flight goes to a cell picked among all regions",
    )
    .warned_of(&["LN-17"]),
    variant(
        "learns-per-method",
        Protocols::Learning,
        Variation::LearnsPerMethod,
        "the method is part of the cache key",
    )
    .warned_of(&["LN-21"]),
    variant(
        "picks-by-weight",
        Protocols::Both,
        Variation::PicksUnevenly,
        "the cells of the region are picked at random, the first one less often",
    )
    .warned_of(&["Z-76"]),
    variant(
        "joins-lines",
        Protocols::Both,
        Variation::JoinsLines,
        "field lines of one name are joined, except for Set-Cookie",
    ),
    variant(
        "drops-an-entry-that-bounced",
        Protocols::Buffering,
        Variation::DropsEntryThatBounced,
        "an entry whose cell bounced is removed",
    ),
    variant(
        "streams-uploads",
        Protocols::Buffering,
        Variation::StreamsUploads,
        "a body beyond the limit goes to the cell of an entry as it arrives",
    ),
    variant(
        "sends-a-get-again",
        Protocols::Both,
        Variation::SendsAGetAgain,
        "a GET or HEAD is resent once when its connection broke before a byte of the response",
    )
    .warned_of(&["LN-25", "Z-52"]),
    variant(
        "lenient-framing",
        Protocols::Both,
        Variation::LenientFraming,
        "a request that RFC 9112 lets a server repair is repaired, not refused",
    )
    .warned_of(&["Z-55"]),
    variant(
        "refuses-zero-bytes",
        Protocols::Both,
        Variation::RefusesZeroBytes,
        "a path with %00 in it receives 400",
    ),
    variant(
        "closes-after-each-response",
        Protocols::Both,
        Variation::ClosesAfterEachResponse,
        "a user's connection is closed after each response, even if more requests arrived",
    ),
    variant(
        "sends-the-cells-host",
        Protocols::Both,
        Variation::SendsTheCellsHost,
        "the cell gets its own Host, and not the public one",
    ),
    variant(
        "drops-the-port-of-the-host",
        Protocols::Both,
        Variation::DropsThePort,
        "the public host is forwarded without its port",
    ),
    variant(
        "keeps-the-host-beside-the-target",
        Protocols::Both,
        Variation::KeepsHostBesideTarget,
        "the Host field is forwarded unchanged, even if an absolute target names another host",
    ),
    variant(
        "skips-malformed-fields",
        Protocols::Both,
        Variation::SkipsBadFields,
        "an invalid line in the head of a response is dropped",
    ),
    variant(
        "shortens-304s",
        Protocols::Both,
        Variation::BriefNotModified,
        "a 304 keeps no metadata of the representation but what RFC 9110 15.4.5 lists",
    ),
    variant(
        "allows-two-more-forwards",
        Protocols::Both,
        Variation::SmallMaximumOfForwards,
        "Max-Forwards is forwarded as 2 at most",
    ),
    variant(
        "takes-half-closed-users-for-gone",
        Protocols::Both,
        Variation::HalfClosedHaveLeft,
        "the request of a user who half-closes ends at the cell",
    ),
    variant(
        "refuses-bad-requests-with-502",
        Protocols::Both,
        Variation::BadGatewayForBadRequests,
        "CONNECT receives 502, and so does a request whose body goes wrong on its way",
    ),
    variant(
        "forgets-after-a-404",
        Protocols::Both,
        Variation::ForgetsAfter404,
        "a 404 removes the entry that led to it",
    ),
    variant(
        "forgets-after-a-failure",
        Protocols::Both,
        Variation::ForgetsAfterFailure,
        "an entry is removed when its cell gave no response",
    ),
    variant(
        "learns-from-pages-too",
        Protocols::Learning,
        Variation::LearnsFromPagesToo,
        "the other proposal's cache header is used as well",
    ),
    variant(
        "empties-a-full-cache",
        Protocols::Both,
        Variation::EmptiesFullCache,
        "a full cache is emptied",
    ),
    variant(
        "keeps-the-first-entries",
        Protocols::Both,
        Variation::KeepsFirstEntries,
        "a full cache accepts no new entry",
    ),
    variant(
        "keeps-ten-times-as-many",
        Protocols::Both,
        Variation::KeepsTenTimesAsMany,
        "ten times as many entries are kept, and any of them is evicted",
    ),
    variant(
        "keeps-a-large-heap",
        Protocols::Both,
        Variation::KeepsALargeHeap,
        "memory grows with the requests up to a limit, and is kept, as garbage collectors do",
    ),
    variant("serves-old-users", Protocols::Both, Variation::OldUsers, "users may speak HTTP/1.0")
        .claiming("http10-clients"),
    variant(
        "refuses-what-is-below-the-learn-path",
        Protocols::Learning,
        Variation::RefusesBelowLearn,
        "a path below the learn path is refused like the learn path itself",
    )
    .warned_of(&["UN-08"]),
    variant(
        "has-a-page-for-unknown-paths",
        Protocols::Learning,
        Variation::OwnPageForUnknown,
        "a 404 becomes a page of the router where the pre-flight found no owner",
    )
    // Beside its own row, all SHOULDs whose scenarios visit a path that no cell knows.
    .warned_of(&["UN-08", "PR-03", "Z-27", "SC-04", "Z-26"]),
];
