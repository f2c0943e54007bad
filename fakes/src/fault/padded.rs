use super::effect::Effect;

/// The response is the JSON object that it would be, with one more member that makes it long
/// (Z-30).
///
/// A response that is no JSON object, or longer by itself, is left as it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Padded {
    /// Bytes of the whole body.
    pub length: usize,
}

impl Padded {
    pub(super) fn effect(&self) -> Effect<'_> {
        Effect::Pads(self.length)
    }
}
