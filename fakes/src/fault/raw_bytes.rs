use super::effect::{Effect, Replacement};

/// The cell responds with these bytes, whatever they are, and closes the connection (Z-48, Z-49).
///
/// The journal has a response only where the bytes begin with the head of one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RawBytes {
    /// All that is sent.
    pub bytes: Vec<u8>,
}

impl RawBytes {
    pub(super) fn effect(&self) -> Effect<'_> {
        Effect::Replacement(Replacement::Bytes(&self.bytes))
    }
}
