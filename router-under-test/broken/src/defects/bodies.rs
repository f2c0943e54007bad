//! Both: bodies, how much of them is there at a time, and where they end.

use crate::catalog::{Defect, both, buffering, learning};
use crate::kind::Flaw;

pub(crate) const TABLE: &[Defect] = &[
    buffering("cuts-bodies-at-the-limit", "Z-61", Flaw::CutsAtTheLimit, "of a body beyond the limit the first part is sent"),
    buffering("refuses-bodies-at-the-limit", "Z-20", Flaw::RefusesAtTheLimit, "a body of just the allowed size is refused"),
    buffering("fails-above-the-limit", "Z-20", Flaw::FailsAboveTheLimit, "a body beyond the limit is an internal error"),
    buffering("has-a-limit-of-its-own", "Z-20", Flaw::HasLimitOfItsOwn, "no body beyond 32 KiB is accepted, whatever the topology says"),
    both("drops-chunked-bodies", "Z-21", Flaw::DropsChunkedBodies, "a request without Content-Length is taken to have no body"),
    buffering(
        "drops-chunked-bodies-on-resend",
        "Z-21",
        Flaw::DropsChunksOnResend,
        "only a body whose length was told is kept for the second sending",
    ),
    both("sends-chunks-in-chunks", "Z-21", Flaw::SendsChunksInChunks, "a chunked body is sent on with the frame of its chunks in it"),
    both(
        "asks-for-bodies-and-drops-them",
        "Z-21",
        Flaw::Answers100AndDrops,
        "a body that was waited for with 100 is read by the wait and gone",
    ),
    both("refuses-expectations", "Z-21", Flaw::RefusesExpectations, "Expect is not known and answered with 417"),
    both("answers-head-with-a-body", "Z-21", Flaw::AnswersHeadWithBody, "HEAD is asked and answered like GET"),
    both(
        "waits-for-bodies-that-do-not-come",
        "Z-21",
        Flaw::WaitsForNoBody,
        "as many bytes as Content-Length says are awaited after HEAD and 304 too",
    ),
    both(
        "ends-empty-answers-with-a-chunk",
        "Z-21",
        Flaw::ChunksEmptyAnswers,
        "an answer without a body ends with the last chunk, also where none may be, after HEAD or with 204",
    ),
    both("cuts-long-polls", "Z-24", Flaw::CutsLongPolls, "an answer is awaited for a third of the configured time"),
    both("turns-204-into-200", "Z-24", Flaw::Turns204Into200, "an answer without content becomes a 200 of length 0"),
    both(
        "reads-answers-ahead",
        "Z-25",
        Flaw::ReadsAnswersAhead,
        "an answer is read as fast as the cell sends, whether the user takes it or not",
    ),
    learning(
        "reads-uploads-ahead",
        "Z-25",
        Flaw::ReadsUploadsAhead,
        "a body is read as fast as the user sends, whether the cell takes it or not",
    ),
    both("gathers-answers-into-blocks", "Z-25", Flaw::GathersAnswers, "an answer is given to the user in blocks of 64 KiB"),
    both("stays-one-part-behind", "Z-25", Flaw::OnePartBehind, "a part of an answer is given to the user when the next one has come"),
    both("ends-cut-chunks-well", "Z-41", Flaw::EndsCutChunksWell, "a chunked answer that broke off gets its last chunk from the router"),
    both("fills-up-cut-answers", "Z-41", Flaw::FillsUpCutAnswers, "what is missing of an answer that broke off is filled with blanks"),
    both("takes-cut-heads-for-answers", "Z-48", Flaw::TakesCutHeads, "a head that broke off is an answer with the fields that came"),
    both("keeps-pages-for-each-user", "CA-17", Flaw::KeepsPagesPerUser, "what a user saw once is what they see again, also after a change"),
    learning(
        "counts-life-from-the-answer",
        "Z-33",
        Flaw::CountsFromTheAnswer,
        "the life of an entry begins when the answer to the first request has come, not with the learn answer",
    ),
];
