//! Both: the bytes of requests, and the boundaries between them.

use crate::entry::{Mutant, both};
use crate::kind::Mutation;

pub(crate) const TABLE: &[Mutant] = &[
    both(
        "accepts-length-with-chunks",
        "Z-54",
        Mutation::AcceptsLengthWithChunks,
        "of Content-Length and chunked in a request the chunks count, and the rest is the next \
         request",
    ),
    both(
        "accepts-two-lengths",
        "Z-56",
        Mutation::AcceptsTwoLengths,
        "of two Content-Length fields of a request the first counts",
    ),
    both(
        "keeps-the-length-beside-chunks",
        "Z-95",
        Mutation::KeepsLengthBesideChunks,
        "of Content-Length and chunked in a request the chunks count, and both are forwarded",
    ),
    both(
        "reads-chunks-with-parameters",
        "Z-94",
        Mutation::AcceptsCodingParameters,
        "a request whose coding is chunked with a parameter is read as chunks",
    ),
    both(
        "passes-nul-bytes-on",
        "Z-63",
        Mutation::PassesNul,
        "a NUL in a field's value is forwarded",
    ),
    both(
        "accepts-bare-line-feeds",
        "Z-55",
        Mutation::AcceptsBareLf,
        "a bare line feed ends a line of a head",
    ),
    both(
        "accepts-bare-carriage-returns",
        "Z-55",
        Mutation::AcceptsBareCr,
        "a bare carriage return in a head becomes a space",
    ),
    both(
        "passes-fields-that-connection-names",
        "Z-22",
        Mutation::PassesNamedFields,
        "fields that Connection names are forwarded",
    ),
    both(
        "passes-connection-on",
        "Z-22",
        Mutation::PassesConnection,
        "Connection of a request is forwarded",
    ),
    both("passes-te-on", "Z-53", Mutation::PassesTe, "TE of a request is forwarded"),
    both(
        "passes-keep-alive-on",
        "Z-53",
        Mutation::PassesKeepAlive,
        "Keep-Alive and Proxy-Connection of a request are forwarded",
    ),
    both(
        "passes-hop-fields-of-responses",
        "Z-22",
        Mutation::PassesHopFieldsOfResponses,
        "hop-by-hop fields of a response are forwarded to the user",
    ),
    both("opens-tunnels", "Z-42", Mutation::OpensTunnels, "CONNECT opens a tunnel to any host"),
    both(
        "refuses-absolute-targets",
        "Z-42",
        Mutation::RefusesAbsoluteTargets,
        "an absolute target is refused",
    ),
    both(
        "cuts-only-the-scheme",
        "Z-42",
        Mutation::CutsOnlyTheScheme,
        "only the scheme of an absolute target is removed, so that the host becomes part of the \
         path",
    ),
    both(
        "connects-to-absolute-hosts",
        "Z-42",
        Mutation::ConnectsToAbsoluteHosts,
        "an absolute target is sent to the host that it names",
    ),
    both(
        "responds-out-of-order",
        "Z-43",
        Mutation::ResponsesOutOfOrder,
        "of two pipelined requests the later one gets its response first",
    ),
    both(
        "drops-pipelined-requests",
        "Z-43",
        Mutation::DropsPipelined,
        "bytes read after a request are dropped",
    ),
    both(
        "sends-chunks-to-old-users",
        "Z-44",
        Mutation::ChunksForOldUsers,
        "a response without a length is chunked for HTTP/1.0 users too",
    )
    .claiming("http10-clients"),
    both(
        "asks-old-users-for-the-body",
        "Z-44",
        Mutation::AsksOldUsersForBodies,
        "an HTTP/1.0 user that sends Expect gets 100",
    )
    .claiming("http10-clients"),
    both(
        "drops-half-closed-users",
        "Z-45",
        Mutation::DropsHalfClosed,
        "a half-closed user gets no response, and the cell works on it to the end",
    ),
    both(
        "keeps-the-last-line-of-a-name",
        "Z-46",
        Mutation::KeepsLastLine,
        "of several request fields of one name only the last is forwarded",
    ),
    both(
        "reverses-lines-of-a-name",
        "Z-46",
        Mutation::ReversesLines,
        "field lines of one name are forwarded in reverse order",
    ),
    both(
        "keeps-the-first-line-of-responses",
        "Z-46",
        Mutation::KeepsFirstResponseLine,
        "of several response fields of one name only the first is forwarded",
    ),
    both(
        "sorts-lines-of-responses",
        "Z-46",
        Mutation::SortsResponseLines,
        "response fields are sorted, lines of one name too",
    ),
    both(
        "cuts-long-fields",
        "Z-47",
        Mutation::CutsLongFields,
        "a field longer than 8 KiB is truncated",
    ),
    both(
        "drops-late-fields",
        "Z-47",
        Mutation::DropsLateFields,
        "field lines after the fiftieth are dropped",
    ),
    both(
        "fails-on-long-heads",
        "Z-47",
        Mutation::FailsOnLongHeads,
        "a head of more than 16 KiB is an internal error",
    ),
    both(
        "accepts-a-blank-before-the-colon",
        "Z-50",
        Mutation::AcceptsBlankBeforeColon,
        "a space before the colon of a field is accepted",
    ),
    both(
        "takes-folded-lines-for-fields",
        "Z-50",
        Mutation::ReadsFoldedLinesAsFields,
        "a folded line is read as a field of its own",
    ),
    both("drops-folded-lines", "Z-50", Mutation::DropsFoldedLines, "a folded line is dropped"),
];
