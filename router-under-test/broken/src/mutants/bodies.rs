//! Both: bodies, how much of them is there at a time, and where they end.

use crate::entry::{Mutant, both, buffering, learning};
use crate::kind::Mutation;

pub(crate) const TABLE: &[Mutant] = &[
    buffering(
        "cuts-bodies-at-the-limit",
        "Z-61",
        Mutation::CutsAtTheLimit,
        "of a body beyond the limit the first part is sent",
    ),
    buffering(
        "refuses-bodies-at-the-limit",
        "Z-20",
        Mutation::RefusesAtTheLimit,
        "a body of just the allowed size is refused",
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
        "a request without Content-Length is taken to have no body",
    ),
    buffering(
        "drops-chunked-bodies-on-resend",
        "Z-21",
        Mutation::DropsChunksOnResend,
        "only a body whose length was told is kept for the second sending",
    ),
    both(
        "sends-chunks-in-chunks",
        "Z-21",
        Mutation::SendsChunksInChunks,
        "a chunked body is sent on with the frame of its chunks in it",
    ),
    both(
        "asks-for-bodies-and-drops-them",
        "Z-21",
        Mutation::Answers100AndDrops,
        "a body that was waited for with 100 is read by the wait and gone",
    ),
    both(
        "refuses-expectations",
        "Z-21",
        Mutation::RefusesExpectations,
        "Expect is unknown and gets 417",
    ),
    both(
        "sends-a-body-to-head",
        "Z-21",
        Mutation::ResponsesHeadWithBody,
        "HEAD is sent to the cell, and responded to, like GET",
    ),
    both(
        "waits-for-bodies-that-do-not-come",
        "Z-21",
        Mutation::WaitsForNoBody,
        "as many bytes as Content-Length says are awaited after HEAD and 304 too",
    ),
    both(
        "ends-empty-responses-with-a-chunk",
        "Z-21",
        Mutation::ChunksEmptyResponses,
        "a response without a body ends with the last chunk, also where none may be, after HEAD or with 204",
    ),
    both(
        "cuts-long-polls",
        "Z-24",
        Mutation::CutsLongPolls,
        "a response is awaited for a third of the configured time",
    ),
    both(
        "turns-204-into-200",
        "Z-24",
        Mutation::Turns204Into200,
        "a response without content becomes a 200 of length 0",
    ),
    both(
        "reads-responses-ahead",
        "Z-25",
        Mutation::ReadsResponsesAhead,
        "a response is read as fast as the cell sends, whether the user takes it or not",
    ),
    learning(
        "reads-uploads-ahead",
        "Z-25",
        Mutation::ReadsUploadsAhead,
        "a body is read as fast as the user sends, whether the cell takes it or not",
    ),
    both(
        "gathers-responses-into-blocks",
        "Z-25",
        Mutation::GathersResponses,
        "a response is given to the user in blocks of 64 KiB",
    ),
    both(
        "stays-one-part-behind",
        "Z-25",
        Mutation::OnePartBehind,
        "a part of a response is given to the user when the next one has come",
    ),
    both(
        "ends-cut-chunks-well",
        "Z-41",
        Mutation::EndsCutChunksWell,
        "a chunked response that broke off gets its last chunk from the router",
    ),
    both(
        "fills-up-cut-responses",
        "Z-41",
        Mutation::FillsUpCutResponses,
        "what is missing of a response that broke off is filled with blanks",
    ),
    both(
        "takes-cut-heads-for-responses",
        "Z-48",
        Mutation::TakesCutHeads,
        "a head that broke off is a response with the fields that came",
    ),
    both(
        "keeps-pages-for-each-user",
        "CA-17",
        Mutation::KeepsPagesPerUser,
        "what a user saw once is what they see again, also after a change",
    ),
    learning(
        "counts-life-from-the-response",
        "Z-33",
        Mutation::CountsFromTheResponse,
        "the life of an entry begins when the response to the first request has come, not with the learn response",
    ),
];
