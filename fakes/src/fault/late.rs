use std::time::Duration;

use super::effect::Effect;

/// The response comes late (Z-14, Z-24). Requests side by side wait side by side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Late {
    /// How much.
    pub by: Duration,
}

impl Late {
    pub(super) fn effect(&self) -> Effect<'_> {
        Effect::Waits(self.by)
    }
}
