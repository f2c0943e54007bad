//! Both: how strictly HTTP is read, what ends with a connection, and what is done once.

use crate::entry::{Mutant, both, buffering};
use crate::kind::Mutation;

pub(crate) const TABLE: &[Mutant] = &[
    both(
        "goes-by-the-length-beside-chunks",
        "Z-54",
        Mutation::GoesByLengthBesideChunks,
        "where a request has both a length and chunks, the length counts, and the cell is told of both",
    ),
    both(
        "finds-chunked-anywhere",
        "Z-54",
        Mutation::FindsChunkedAnywhere,
        "a coding is chunked if the word stands in it, at whatever place, and the length beside it is left out",
    ),
    both(
        "ignores-bodies-of-gets",
        "Z-54",
        Mutation::IgnoresBodiesOfGets,
        "a GET is taken to have no body, so that its body is read as the next request",
    ),
    both(
        "takes-the-last-length-of-requests",
        "Z-54",
        Mutation::TakesLastRequestLength,
        "of two lengths of a request the last counts, and what is left of the body is read as the next request",
    ),
    both(
        "passes-keep-alive-of-responses",
        "Z-53",
        Mutation::PassesKeepAliveOfResponses,
        "of a response only what Connection lists is removed, not the old fields Keep-Alive and Proxy-Connection",
    ),
    both(
        "serves-what-follows-close",
        "Z-57",
        Mutation::ServesWhatFollowsClose,
        "Connection: close of a user is not looked at, so that what follows is served",
    ),
    both(
        "spoils-the-last-response",
        "Z-57",
        Mutation::SpoilsTheLastResponse,
        "a request with Connection: close is refused if anything was sent behind it",
    ),
    buffering(
        "carries-cookies-of-the-bounce",
        "Z-60",
        Mutation::CarriesBounceCookies,
        "a jar of the router's own keeps the cookies of a bounce and sends them to the next cell",
    ),
    buffering(
        "cuts-bodies-for-known-cells",
        "Z-61",
        Mutation::CutsKnownBodies,
        "of a body beyond the limit the first part is sent if an entry names the cell",
    ),
    buffering(
        "resends-gets-after-half-an-response",
        "Z-52",
        Mutation::ResendsAfterHalfAnResponse,
        "a GET whose response broke off is sent again",
    ),
];
