use std::time::Duration;

use super::effect::Effect;

/// The response is delayed (Z-14, Z-24). Concurrent requests wait concurrently.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Late {
    /// The delay.
    pub by: Duration,
}

impl Late {
    pub(super) fn effect(&self) -> Effect<'_> {
        Effect::Waits(self.by)
    }
}
