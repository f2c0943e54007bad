use super::effect::{Effect, Replacement};

/// The cell sends these bytes instead of a response and closes the connection (Z-48, Z-49).
///
/// The journal has a response only where the bytes begin with the head of one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RawBytes {
    pub bytes: Vec<u8>,
}

impl RawBytes {
    pub(super) fn effect(&self) -> Effect<'_> {
        Effect::Replacement(Replacement::Bytes(&self.bytes))
    }
}
