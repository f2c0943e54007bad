use std::time::Duration;

use super::effect::{Delivery, Effect, ResponsePart};

/// The body of the response leaves in up to four pieces (Z-25). A response without a body is not
/// changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BodyInPieces {
    /// Time between two pieces.
    pub apart: Duration,
}

impl BodyInPieces {
    pub(super) fn effect(&self) -> Effect<'_> {
        Effect::Delivers(Delivery::InPieces { part: ResponsePart::Body, apart: self.apart })
    }
}
