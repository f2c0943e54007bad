//! The effects of faults on a request and its response.

use std::time::Duration;

use axum::body::Body;
use http::request::Parts;
use http::{HeaderValue, Response};

use super::ending::Ending;
use crate::Authority;
use crate::release::Release;

/// What a fault of responses does.
pub(crate) enum Effect<'f> {
    /// The request's body is not read before the release.
    LeavesBodyUnread,
    /// Something replaces the application's response.
    Replacement(Replacement<'f>),
    /// The response gets one more header.
    Field(&'static str, HeaderValue),
    /// The response's JSON object is padded to this many bytes.
    Pads(usize),
    /// The response is delayed.
    Waits(Duration),
    /// The response does not leave at once, or not completely.
    Delivers(Delivery),
    /// These bytes follow the response, after this time.
    Stray(&'f [u8], Duration),
}

/// What replaces the application's response. The request is read completely before.
pub(crate) enum Replacement<'f> {
    /// Nothing, until the fleet stops.
    Nothing,
    /// The connection ends.
    Ends(Ending),
    /// These bytes are sent, and the connection is closed.
    Bytes(&'f [u8]),
    Response(MakeResponse<'f>),
}

/// Makes a response that replaces the application's.
pub(crate) type MakeResponse<'f> =
    Box<dyn FnOnce(&Parts, FaultContext) -> Response<Body> + Send + 'f>;

/// What such a response may depend on.
pub(crate) struct FaultContext {
    /// Where routers reach the cell.
    pub(crate) advertised: Authority,
    /// Waits for the release and enters it in the journal.
    pub(crate) release: Release,
}

/// How a response leaves a cell that does not leave at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Delivery {
    /// A part of it leaves in pieces.
    InPieces {
        /// The part that is split; the rest leaves at once.
        part: ResponsePart,
        /// The time between two pieces.
        apart: Duration,
    },
    /// It breaks off within a part.
    BreaksOff {
        part: ResponsePart,
        /// Whether the body is sent in chunks, without a length. Then the last bytes sent are a
        /// whole chunk.
        chunked: bool,
        /// How the connection ends.
        ending: Ending,
    },
    /// An interim response precedes it (RFC 8297).
    AfterEarlyHints,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ResponsePart {
    /// The status line and the header lines.
    Head,
    Body,
}
