//! Learning: the pre-flight, and the single sending of the request.

use crate::entry::{Mutant, learning};
use crate::kind::Mutation;

pub(crate) const TABLE: &[Mutant] = &[
    learning(
        "learns-after-a-404",
        "LN-01",
        Mutation::LearnsAfter404,
        "the request goes to a picked cell, and a pre-flight follows only after a 404",
    ),
    learning("posts-the-pre-flight", "LN-01", Mutation::PostsPreFlight, "the pre-flight is a POST"),
    learning(
        "asks-at-the-other-learn-path",
        "LN-02",
        Mutation::SwapsLearnPath,
        "the learn path of the other document is used instead of the configured one",
    ),
    learning(
        "path-info-with-query",
        "LN-03",
        Mutation::PathInfoWithQuery,
        "path_info is the whole target with its query",
    ),
    learning(
        "always-asks-for-get",
        "LN-03",
        Mutation::AlwaysAsksForGet,
        "the method parameter is GET for every request",
    ),
    learning(
        "path-info-without-slash",
        "LN-03",
        Mutation::PathInfoWithoutSlash,
        "path_info lacks the leading slash",
    ),
    learning(
        "path-info-not-encoded",
        "Z-12",
        Mutation::PathInfoRaw,
        "path_info is not percent-encoded",
    ),
    learning(
        "path-info-encoded-twice",
        "Z-12",
        Mutation::PathInfoDouble,
        "path_info is percent-encoded twice",
    ),
    learning(
        "path-info-with-bare-plus",
        "Z-12",
        Mutation::PathInfoPlus,
        "a plus in path_info is not encoded, and decodes to a space",
    ),
    learning(
        "path-info-decoded",
        "Z-12",
        Mutation::PathInfoDecoded,
        "path_info is decoded before it is encoded, so that %2F becomes a slash",
    ),
    learning(
        "sends-the-body-with-the-pre-flight",
        "LN-11",
        Mutation::BodyWithPreFlight,
        "the pre-flight carries the user's body",
    ),
    learning(
        "mirrors-writes",
        "LN-10",
        Mutation::MirrorsWrites,
        "a write also goes to another cell of the region",
    ),
    learning(
        "sends-a-late-copy",
        "LN-10",
        Mutation::LateCopy,
        "a copy of every request is sent to another cell a little later",
    ),
    learning(
        "retries-failed-writes",
        "LN-10",
        Mutation::RetriesWrites,
        "a write that failed with an error response is resent to the next cell",
    ),
    learning(
        "hedges-reads",
        "LG-06",
        Mutation::HedgesReads,
        "a GET is sent to its cell twice, and the faster response is used",
    ),
    learning(
        "buffers-the-body",
        "LN-12",
        Mutation::BuffersBody,
        "the body is read to its end before the request is sent",
    ),
];
