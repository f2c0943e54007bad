use std::time::Duration;

use super::effect::{Delivery, Effect, ResponsePart};

/// The head of the response leaves in four pieces, cut within lines (RFC 9112 2.2).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HeadInPieces {
    /// Time between two pieces.
    pub apart: Duration,
}

impl HeadInPieces {
    pub(super) fn effect(&self) -> Effect<'_> {
        Effect::Delivers(Delivery::InPieces { part: ResponsePart::Head, apart: self.apart })
    }
}
