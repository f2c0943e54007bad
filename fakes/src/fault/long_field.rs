use http::HeaderValue;

use super::effect::Effect;

const NAME: &str = "x-long";

/// The response has one more header, `X-Long`, with a long value (Z-48).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LongField {
    /// The length of its value in bytes.
    pub length: usize,
}

impl LongField {
    pub(super) fn effect(&self) -> Effect<'_> {
        let value = HeaderValue::try_from(vec![b'a'; self.length]);
        Effect::Field(NAME, value.unwrap_or_else(|_| HeaderValue::from_static("a")))
    }
}
