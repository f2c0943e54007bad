use super::effect::{Delivery, Effect, ResponsePart};
use super::ending::Ending;

/// The connection ends within the body of the response, after half of it (Z-41, RFC 9112 8).
///
/// The journal has the complete response, and the number of bytes that were sent. A response
/// without a body is not changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BreaksOffInBody {
    /// Whether the body is sent in chunks, without the last one. Otherwise `Content-Length` states
    /// the complete length.
    pub chunked: bool,
    /// How the connection ends.
    pub ending: Ending,
}

impl BreaksOffInBody {
    pub(super) fn effect(&self) -> Effect<'_> {
        Effect::Delivers(Delivery::BreaksOff {
            part: ResponsePart::Body,
            chunked: self.chunked,
            ending: self.ending,
        })
    }
}
