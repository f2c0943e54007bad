//! Learning: the question, and that the request itself is sent once.

use crate::entry::{Mutant, learning};
use crate::kind::Mutation;

pub(crate) const TABLE: &[Mutant] = &[
    learning(
        "learns-after-a-404",
        "LN-01",
        Mutation::LearnsAfter404,
        "the request is tried at a picked cell, and a pre-flight follows only when that responds with 404",
    ),
    learning("posts-the-pre-flight", "LN-01", Mutation::PostsPreFlight, "the pre-flight is a POST"),
    learning(
        "asks-at-the-other-learn-path",
        "LN-02",
        Mutation::SwapsLearnPath,
        "the learn path is the other document's instead of the configured one",
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
        "the path is put into the query as it is",
    ),
    learning(
        "path-info-encoded-twice",
        "Z-12",
        Mutation::PathInfoDouble,
        "the path is encoded by hand and again by the URL library",
    ),
    learning(
        "path-info-with-bare-plus",
        "Z-12",
        Mutation::PathInfoPlus,
        "a plus is left as it is and decodes to a blank",
    ),
    learning(
        "path-info-decoded",
        "Z-12",
        Mutation::PathInfoDecoded,
        "the path is decoded before it is encoded, so that %2F becomes a slash",
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
        "a write also goes to another cell of the region, to keep it warm",
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
        "a write that a cell responded with an error is sent to the next cell",
    ),
    learning(
        "hedges-reads",
        "LG-06",
        Mutation::HedgesReads,
        "a GET is sent to its cell twice and the faster response used",
    ),
    learning(
        "buffers-the-body",
        "LN-12",
        Mutation::BuffersBody,
        "the body is read to its end before anything is sent on",
    ),
];
