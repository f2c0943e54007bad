//! Both: requests as bytes, and where one ends and the next begins.

use crate::entry::{Mutant, both};
use crate::kind::Mutation;

pub(crate) const TABLE: &[Mutant] = &[
    both(
        "accepts-length-with-chunks",
        "Z-54",
        Mutation::AcceptsLengthWithChunks,
        "where a request has both a length and chunks, the chunks count, and what follows them is the next request",
    ),
    both(
        "accepts-two-lengths",
        "Z-56",
        Mutation::AcceptsTwoLengths,
        "of two lengths of a request the first counts",
    ),
    both(
        "accepts-bare-line-feeds",
        "Z-55",
        Mutation::AcceptsBareLf,
        "a line feed alone ends a line of a head",
    ),
    both(
        "accepts-bare-carriage-returns",
        "Z-55",
        Mutation::AcceptsBareCr,
        "a carriage return within a line of a head becomes a blank",
    ),
    both(
        "passes-fields-that-connection-names",
        "Z-22",
        Mutation::PassesNamedFields,
        "only a fixed list of fields ends at the router, not those that Connection names",
    ),
    both(
        "passes-connection-on",
        "Z-22",
        Mutation::PassesConnection,
        "the field Connection of a request is sent on",
    ),
    both("passes-te-on", "Z-53", Mutation::PassesTe, "the field TE of a request is sent on"),
    both(
        "passes-keep-alive-on",
        "Z-53",
        Mutation::PassesKeepAlive,
        "the old fields Keep-Alive and Proxy-Connection are not known and are sent on",
    ),
    both(
        "passes-hop-fields-of-responses",
        "Z-22",
        Mutation::PassesHopFieldsOfResponses,
        "what a cell says about its connection is given to the user, as if it were about theirs",
    ),
    both(
        "opens-tunnels",
        "Z-42",
        Mutation::OpensTunnels,
        "CONNECT is honoured, for whatever host it names",
    ),
    both(
        "refuses-absolute-targets",
        "Z-42",
        Mutation::RefusesAbsoluteTargets,
        "a target that begins with http:// is refused as not a path",
    ),
    both(
        "cuts-only-the-scheme",
        "Z-42",
        Mutation::CutsOnlyTheScheme,
        "of an absolute target the scheme is cut off, so that the host becomes part of the path",
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
        "what was read behind a request is thrown away with its buffer",
    ),
    both(
        "sends-chunks-to-old-users",
        "Z-44",
        Mutation::ChunksForOldUsers,
        "a response without a length is chunked, whatever version the user speaks",
    )
    .claiming("http10-clients"),
    both(
        "asks-old-users-for-the-body",
        "Z-44",
        Mutation::AsksOldUsersForBodies,
        "a user of HTTP/1.0 that sends Expect gets 100",
    )
    .claiming("http10-clients"),
    both(
        "drops-half-closed-users",
        "Z-45",
        Mutation::DropsHalfClosed,
        "a user who has closed the sending half is taken to be gone",
    ),
    both(
        "keeps-the-last-line-of-a-name",
        "Z-46",
        Mutation::KeepsLastLine,
        "request fields are kept in a map with one value each",
    ),
    both(
        "reverses-lines-of-a-name",
        "Z-46",
        Mutation::ReversesLines,
        "lines of one name are put in front of the earlier ones",
    ),
    both(
        "keeps-the-first-line-of-responses",
        "Z-46",
        Mutation::KeepsFirstResponseLine,
        "of several lines of a name in a response the first is given to the user",
    ),
    both(
        "sorts-lines-of-responses",
        "Z-46",
        Mutation::SortsResponseLines,
        "the lines of a response are kept in a sorted collection",
    ),
    both(
        "cuts-long-fields",
        "Z-47",
        Mutation::CutsLongFields,
        "a field is copied into a buffer of 8 KiB, and what does not fit is lost",
    ),
    both(
        "drops-late-fields",
        "Z-47",
        Mutation::DropsLateFields,
        "there is room for fifty field lines, and the rest is lost",
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
        "names of fields are trimmed",
    ),
    both(
        "takes-folded-lines-for-fields",
        "Z-50",
        Mutation::ReadsFoldedLinesAsFields,
        "lines are trimmed before they are read, so that a folded one becomes a field of its own",
    ),
    both(
        "drops-folded-lines",
        "Z-50",
        Mutation::DropsFoldedLines,
        "a line that begins with a blank is left out",
    ),
];
