//! Where on a request's way a fault takes hold.

use std::net::SocketAddr;
use std::time::Duration;

use axum::body::Body;
use http::request::Parts;
use http::{HeaderValue, Response};

use super::ending::Ending;
use crate::release::Release;

/// What a fault of responses does.
pub(crate) enum Effect<'f> {
    /// The request's body is not read before the release.
    LeavesBodyUnread,
    /// Something happens instead of the application's response.
    Replacement(Replacement<'f>),
    /// The response is given one more field.
    Field(&'static str, HeaderValue),
    /// The response's JSON object grows to this many bytes.
    Pads(usize),
    /// The response comes this much later.
    Waits(Duration),
    /// The response leaves in another delivery.
    Delivers(Delivery),
}

/// What happens instead of the application's response. The request is read whole before.
pub(crate) enum Replacement<'f> {
    /// Nothing, until the fleet stops.
    Nothing,
    /// The connection ends.
    Ends(Ending),
    /// These bytes are sent and the connection is closed.
    Bytes(&'f [u8]),
    /// Another response.
    Response(MakeResponse<'f>),
}

/// Makes a response up.
pub(crate) type MakeResponse<'f> =
    Box<dyn FnOnce(&Parts, FaultContext) -> Response<Body> + Send + 'f>;

/// What a response that is made up may need to know.
pub(crate) struct FaultContext {
    /// Where the cell listens.
    pub(crate) address: SocketAddr,
    /// Waits for the release, and has it entered in the journal.
    pub(crate) release: Release,
}

/// How a response leaves a cell other than in one go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Delivery {
    /// A part of it comes in pieces.
    InPieces {
        /// What is taken to pieces; the rest leaves as usual.
        part: ResponsePart,
        /// Time between two pieces.
        apart: Duration,
    },
    /// It breaks off in the middle of a part.
    BreaksOff {
        /// Where.
        part: ResponsePart,
        /// Whether its body has no length and comes in chunks. Then a whole chunk is the last thing
        /// sent.
        chunked: bool,
        /// How the connection ends.
        ending: Ending,
    },
    /// An interim response goes before it (RFC 8297).
    AfterEarlyHints,
}

/// A part of a response.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ResponsePart {
    /// Status line and field lines.
    Head,
    /// What follows them.
    Body,
}
