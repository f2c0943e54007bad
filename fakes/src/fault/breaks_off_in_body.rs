use super::effect::{Delivery, Effect, ResponsePart};
use super::ending::Ending;

/// The connection ends within the body of the response: half of it is sent (Z-41, RFC 9112 8).
///
/// The journal has the response as it was meant, and that it was not sent to its end. A response
/// without a body is left as it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BreaksOffInBody {
    /// Whether the body comes in chunks, the last of which never comes. Otherwise `Content-Length`
    /// said more.
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
