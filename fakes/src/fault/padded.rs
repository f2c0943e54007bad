use super::effect::Effect;

/// The response's JSON object gets one more member that makes it long (Z-30).
///
/// A response that is not a JSON object, or that is longer already, is not changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Padded {
    /// The length of the whole body in bytes.
    pub length: usize,
}

impl Padded {
    pub(super) fn effect(&self) -> Effect<'_> {
        Effect::Pads(self.length)
    }
}
