//! Both: the strictness of HTTP, the state of a connection, and what happens once.

use crate::entry::{Mutant, both, buffering};
use crate::kind::Mutation;

pub(crate) const TABLE: &[Mutant] = &[
    both(
        "goes-by-the-length-beside-chunks",
        "Z-54",
        Mutation::GoesByLengthBesideChunks,
        "of Content-Length and chunked in a request the length counts, and both are forwarded",
    ),
    both(
        "finds-chunked-anywhere",
        "Z-54",
        Mutation::FindsChunkedAnywhere,
        "every Transfer-Encoding that contains the word chunked counts as chunked",
    ),
    both(
        "ignores-bodies-of-gets",
        "Z-54",
        Mutation::IgnoresBodiesOfGets,
        "the body of a GET is read as the next request",
    ),
    both(
        "takes-the-last-length-of-requests",
        "Z-54",
        Mutation::TakesLastRequestLength,
        "of two Content-Length fields of a request the last counts, and the rest of the body is \
         the next request",
    ),
    both(
        "passes-keep-alive-of-responses",
        "Z-53",
        Mutation::PassesKeepAliveOfResponses,
        "Keep-Alive and Proxy-Connection of a response are forwarded",
    ),
    both(
        "serves-what-follows-close",
        "Z-57",
        Mutation::ServesWhatFollowsClose,
        "a request after Connection: close is served",
    ),
    both(
        "spoils-the-last-response",
        "Z-57",
        Mutation::SpoilsTheLastResponse,
        "a request with Connection: close is refused if bytes follow it",
    ),
    buffering(
        "carries-cookies-of-the-bounce",
        "Z-60",
        Mutation::CarriesBounceCookies,
        "the cookies of a bounce are kept and sent to the next cell",
    ),
    buffering(
        "cuts-bodies-for-known-cells",
        "Z-61",
        Mutation::CutsKnownBodies,
        "a body beyond the limit is truncated and sent if a cache entry names the cell",
    ),
    buffering(
        "resends-gets-after-half-an-response",
        "Z-17",
        Mutation::ResendsAfterHalfAnResponse,
        "a GET whose response was truncated is resent",
    ),
];
