//! Correct, and different in what the documents leave open.

use crate::catalog::{Protocols, Variant, variant};
use crate::kind::Difference;

pub(crate) const TABLE: &[Variant] = &[
    variant("plain", Protocols::Both, Difference::Nothing, "the base itself: no single flight, streamed answers, kept connections"),
    variant("single-flight", Protocols::Learning, Difference::SingleFlight, "simultaneous misses of one path share a pre-flight"),
    variant("reorders-fields", Protocols::Both, Difference::ReordersFields, "fields of different names travel in the opposite order"),
    variant("connection-per-hop", Protocols::Both, Difference::ConnectionPerHop, "each request to a cell has a connection of its own"),
    variant("chunked-bodies", Protocols::Both, Difference::ChunkedBodies, "bodies travel chunked in both directions"),
    variant("known-lengths", Protocols::Both, Difference::KnownLengths, "an answer that is there at once travels with its length"),
    variant(
        "root-without-pre-flight",
        Protocols::Learning,
        Difference::RootWithoutPreFlight,
        "/ goes to a cell of the region without a pre-flight",
    ),
    variant("bare-prefix-not-covered", Protocols::Buffering, Difference::BareNotCovered, "the prefix /a/ does not cover the bare /a"),
    variant("picks-in-turn", Protocols::Both, Difference::RoundRobin, "the cells of the region are picked in turn"),
    variant(
        "unknown-to-the-latest",
        Protocols::Learning,
        Difference::UnknownToLatest,
        "what no cell has an owner for goes to the latest cell",
    ),
    variant("title-case-names", Protocols::Both, Difference::TitleCase, "field names travel in title case"),
    variant("adds-proxy-fields", Protocols::Both, Difference::ProxyFields, "Via, X-Forwarded fields and Server are added"),
    variant(
        "refuses-a-repeated-cell",
        Protocols::Buffering,
        Difference::RefusesRepeatedCell,
        "a cell that bounces to itself is refused at once",
    ),
    variant("encodes-slashes", Protocols::Learning, Difference::EncodesSlashes, "path_info comes first and has its slashes encoded"),
    variant(
        "refuses-odd-answers",
        Protocols::Learning,
        Difference::RefusesOddAnswers,
        "a learn answer that does not cover the path is a refusal",
    ),
    variant(
        "gives-up-after-one-failed-pre-flight",
        Protocols::Learning,
        Difference::GivesUpAfterOneFailure,
        "no other cell is asked when one has answered a pre-flight with an error, or not at all",
    ),
    variant(
        "keeps-routes-in-cookies",
        Protocols::Both,
        Difference::CookieCache,
        "what was learnt for a user goes into a cookie, and is a hint for a cold router",
    )
    .claiming("cookie-cache"),
    variant("delays-404s", Protocols::Both, Difference::NotFoundDelay, "a cell's 404 reaches the user after a random delay")
        .claiming("not-found-delay"),
    variant(
        "normalises-for-the-cache",
        Protocols::Both,
        Difference::NormalisesForTheCache,
        "paths are normalised before they are looked up, and travel as they came",
    ),
    variant(
        "reads-cells-generously",
        Protocols::Both,
        Difference::ReadsCellsGenerously,
        "a cell is known by each of its spellings, and it and members in braces in whatever letters",
    ),
    variant("carries-websockets", Protocols::Both, Difference::Upgrade, "connections may change their protocol").claiming("upgrade"),
    variant(
        "asks-the-latest-deployment",
        Protocols::Learning,
        Difference::AsksTheLatestDeployment,
        "every pre-flight goes to the latest deployment, and to a cell of the region only when that one is down",
    )
    .warned_of(&["LN-17"]),
    variant(
        "asks-any-region",
        Protocols::Learning,
        Difference::AsksAnyRegion,
        "a pre-flight goes to a cell drawn among those of all regions",
    )
    .warned_of(&["LN-17"]),
    variant("joins-lines", Protocols::Both, Difference::JoinsLines, "lines of one name travel as one, but for those of Set-Cookie"),
    variant(
        "drops-an-entry-that-bounced",
        Protocols::Buffering,
        Difference::DropsEntryThatBounced,
        "an entry whose cell bounced is forgotten as a whole",
    ),
    variant(
        "sends-a-get-again",
        Protocols::Buffering,
        Difference::SendsAGetAgain,
        "a GET or HEAD is sent once more when its connection broke before a response came",
    )
    .warned_of(&["Z-52"]),
    variant(
        "lenient-framing",
        Protocols::Both,
        Difference::LenientFraming,
        "a request that RFC 9112 lets a server repair is repaired, not refused",
    )
    .warned_of(&["Z-55"]),
    variant("refuses-zero-bytes", Protocols::Both, Difference::RefusesZeroBytes, "a path with %00 in it is answered with 400"),
    variant(
        "closes-after-each-response",
        Protocols::Both,
        Difference::ClosesAfterEachResponse,
        "a user's connection is closed after each response, whatever else came on it",
    ),
    variant(
        "sends-the-cells-host",
        Protocols::Both,
        Difference::SendsTheCellsHost,
        "the cell is told its own name as Host, and nothing of the public one",
    ),
    variant("drops-the-port-of-the-host", Protocols::Both, Difference::DropsThePort, "the public name is told without its port"),
    variant(
        "keeps-the-host-beside-the-target",
        Protocols::Both,
        Difference::KeepsHostBesideTarget,
        "the cell is told the field Host as it came, though the target names another host",
    ),
    variant("forgets-after-a-404", Protocols::Both, Difference::ForgetsAfter404, "a 404 ends the entry that led to it"),
    variant("forgets-after-a-failure", Protocols::Both, Difference::ForgetsAfterFailure, "a cell that gave no response loses the entry"),
    variant(
        "learns-from-pages-too",
        Protocols::Learning,
        Difference::LearnsFromPagesToo,
        "the other proposal's cache field is remembered as well",
    ),
    variant("empties-a-full-cache", Protocols::Both, Difference::EmptiesFullCache, "a full cache is emptied"),
    variant("keeps-the-first-entries", Protocols::Both, Difference::KeepsFirstEntries, "a full cache takes nothing in"),
    variant(
        "keeps-ten-times-as-many",
        Protocols::Both,
        Difference::KeepsTenTimesAsMany,
        "ten times as many entries are kept, and any of them makes room",
    ),
    variant("serves-old-users", Protocols::Both, Difference::OldUsers, "users may speak HTTP/1.0").claiming("http10-clients"),
    variant(
        "has-a-page-for-unknown-paths",
        Protocols::Learning,
        Difference::OwnPageForUnknown,
        "where learn knew nobody and the cell says 404, the user gets a page of the router with that status",
    )
    // Beside its own row, all SHOULDs whose scenarios visit a path that no cell knows.
    .warned_of(&["UN-08", "PR-03", "Z-27", "SC-04", "Z-26"]),
];
