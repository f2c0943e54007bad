use super::effect::{Delivery, Effect, ResponsePart};
use super::ending::Ending;

/// The connection ends within the head of the response, after half of it (Z-48).
///
/// The journal has the complete response.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BreaksOffInHead {
    /// How the connection ends.
    pub ending: Ending,
}

impl BreaksOffInHead {
    pub(super) fn effect(&self) -> Effect<'_> {
        Effect::Delivers(Delivery::BreaksOff {
            part: ResponsePart::Head,
            chunked: false,
            ending: self.ending,
        })
    }
}
