//! Learning: the question, and that the request itself is sent once.

use crate::catalog::{Defect, learning};
use crate::kind::Flaw;

pub(crate) const TABLE: &[Defect] = &[
    learning(
        "learns-after-a-404",
        "LN-01",
        Flaw::LearnsAfter404,
        "the request is tried at a picked cell, and a pre-flight follows only when that answers 404",
    ),
    learning("posts-the-pre-flight", "LN-01", Flaw::PostsPreFlight, "the pre-flight is a POST"),
    learning(
        "asks-at-the-other-learn-path",
        "LN-02",
        Flaw::SwapsLearnPath,
        "the learn path is the other document's instead of the configured one",
    ),
    learning("path-info-with-query", "LN-03", Flaw::PathInfoWithQuery, "path_info is the whole target with its query"),
    learning("always-asks-for-get", "LN-03", Flaw::AlwaysAsksForGet, "the method parameter is GET for every request"),
    learning("path-info-without-slash", "LN-03", Flaw::PathInfoWithoutSlash, "path_info lacks the leading slash"),
    learning("path-info-not-encoded", "Z-12", Flaw::PathInfoRaw, "the path is put into the query as it is"),
    learning("path-info-encoded-twice", "Z-12", Flaw::PathInfoDouble, "the path is encoded by hand and again by the URL library"),
    learning("path-info-with-bare-plus", "Z-12", Flaw::PathInfoPlus, "a plus is left as it is and decodes to a blank"),
    learning("path-info-decoded", "Z-12", Flaw::PathInfoDecoded, "the path is decoded before it is encoded, so that %2F becomes a slash"),
    learning("sends-the-body-with-the-pre-flight", "LN-11", Flaw::BodyWithPreFlight, "the pre-flight carries the user's body"),
    learning("mirrors-writes", "LN-10", Flaw::MirrorsWrites, "a write also goes to another cell of the region, to keep it warm"),
    learning("sends-a-late-copy", "LN-10", Flaw::LateCopy, "a copy of every request is sent to another cell a little later"),
    learning("retries-failed-writes", "LN-10", Flaw::RetriesWrites, "a write that a cell answered with an error is sent to the next cell"),
    learning("hedges-reads", "LG-06", Flaw::HedgesReads, "a GET is sent to its cell twice and the faster answer used"),
    learning("buffers-the-body", "LN-12", Flaw::BuffersBody, "the body is read to its end before anything is sent on"),
];
