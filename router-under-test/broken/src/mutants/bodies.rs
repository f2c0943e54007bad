//! Both: bodies, their buffering, and their ends.

use crate::entry::{Mutant, both, buffering, learning};
use crate::kind::Mutation;

pub(crate) const TABLE: &[Mutant] = &[
    buffering(
        "cuts-bodies-at-the-limit",
        "Z-61",
        Mutation::CutsAtTheLimit,
        "a body beyond the limit is truncated and sent",
    ),
    buffering(
        "refuses-bodies-at-the-limit",
        "Z-20",
        Mutation::RefusesAtTheLimit,
        "a body of exactly the allowed size is refused",
    ),
    buffering(
        "fails-above-the-limit",
        "Z-20",
        Mutation::FailsAboveTheLimit,
        "a body beyond the limit is an internal error",
    ),
    buffering(
        "has-a-limit-of-its-own",
        "Z-20",
        Mutation::HasLimitOfItsOwn,
        "no body beyond 32 KiB is accepted, whatever the topology says",
    ),
    both(
        "drops-chunked-bodies",
        "Z-21",
        Mutation::DropsChunkedBodies,
        "a request without Content-Length is sent without its body",
    ),
    buffering(
        "drops-chunked-bodies-on-resend",
        "Z-21",
        Mutation::DropsChunksOnResend,
        "only a body with Content-Length is resent",
    ),
    both(
        "sends-chunks-in-chunks",
        "Z-21",
        Mutation::SendsChunksInChunks,
        "a chunked body is forwarded with its chunk framing as content",
    ),
    both(
        "asks-for-bodies-and-drops-them",
        "Z-21",
        Mutation::Answers100AndDrops,
        "a body that followed 100 is lost",
    ),
    both("refuses-expectations", "Z-21", Mutation::RefusesExpectations, "every Expect gets 417"),
    both(
        "sends-a-body-to-head",
        "Z-21",
        Mutation::ResponsesHeadWithBody,
        "HEAD is sent to the cell as GET, and its response has a body",
    ),
    both(
        "waits-for-bodies-that-do-not-come",
        "Z-21",
        Mutation::WaitsForNoBody,
        "a response to HEAD and a 304 are expected to have a body of their Content-Length",
    ),
    both(
        "ends-empty-responses-with-a-chunk",
        "Z-21",
        Mutation::ChunksEmptyResponses,
        "a response to HEAD and a 204 end with a last chunk",
    ),
    both(
        "cuts-long-polls",
        "Z-24",
        Mutation::CutsLongPolls,
        "the response timeout is a third of the configured one",
    ),
    both(
        "times-whole-uploads",
        "Z-97",
        Mutation::TimesUploads,
        "the response timeout begins with the head of a request, and counts while its body arrives",
    ),
    both(
        "times-whole-downloads",
        "Z-97",
        Mutation::TimesDownloads,
        "a response that takes longer than the response timeout is cut off",
    ),
    both(
        "turns-204-into-200",
        "Z-24",
        Mutation::Turns204Into200,
        "a 204 becomes a 200 with an empty body",
    ),
    both(
        "reads-responses-ahead",
        "Z-25",
        Mutation::ReadsResponsesAhead,
        "a response is read as fast as the cell sends, even when the user does not read",
    ),
    learning(
        "reads-uploads-ahead",
        "Z-25",
        Mutation::ReadsUploadsAhead,
        "a request body is read as fast as the user sends, even when the cell does not read",
    ),
    both(
        "gathers-responses-into-blocks",
        "Z-25",
        Mutation::GathersResponses,
        "a response is forwarded in blocks of 64 KiB",
    ),
    both(
        "stays-one-part-behind",
        "Z-25",
        Mutation::OnePartBehind,
        "each part of a response is forwarded only when the next one has arrived",
    ),
    both(
        "ends-cut-chunks-well",
        "Z-41",
        Mutation::EndsCutChunksWell,
        "a truncated chunked response gets its last chunk from the router",
    ),
    both(
        "fills-up-cut-responses",
        "Z-41",
        Mutation::FillsUpCutResponses,
        "a truncated response is filled up with spaces",
    ),
    both(
        "takes-cut-heads-for-responses",
        "Z-48",
        Mutation::TakesCutHeads,
        "a truncated head counts as a complete one",
    ),
    both(
        "keeps-pages-for-each-user",
        "CA-17",
        Mutation::KeepsPagesPerUser,
        "pages are cached for each user, and are shown again after a change",
    ),
    learning(
        "counts-life-from-the-response",
        "Z-33",
        Mutation::CountsFromTheResponse,
        "the lifetime of an entry begins with the response to the first request, not with the \
         learn response",
    ),
];
