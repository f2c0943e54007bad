use std::time::Duration;

use super::effect::Effect;

/// The cell sends bytes that belong to no response, on the connection of its response and after it
/// (Z-86). It sends none once a further request has come on the connection.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StrayBytes {
    pub bytes: Vec<u8>,
    /// How long after the response.
    pub after: Duration,
}

impl StrayBytes {
    pub(super) fn effect(&self) -> Effect<'_> {
        Effect::Stray(&self.bytes, self.after)
    }
}
