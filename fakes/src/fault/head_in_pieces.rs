use std::time::Duration;

use super::effect::{Effect, Manner, Part};

/// The head of the response comes in four pieces, cut where no line ends (RFC 9112 2.2).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HeadInPieces {
    /// Time between two pieces.
    pub apart: Duration,
}

impl HeadInPieces {
    pub(super) fn effect(&self) -> Effect<'_> {
        Effect::Leaves(Manner::InPieces { part: Part::Head, apart: self.apart })
    }
}
