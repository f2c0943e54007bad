use http::HeaderValue;

use super::effect::Effect;

/// The field that is long.
const NAME: &str = "x-long";

/// The response has one more field, `X-Long`, whose value is long (Z-48).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LongField {
    /// Bytes of its value.
    pub length: usize,
}

impl LongField {
    pub(super) fn effect(&self) -> Effect<'_> {
        let value = HeaderValue::try_from(vec![b'a'; self.length]);
        Effect::Field(NAME, value.unwrap_or_else(|_| HeaderValue::from_static("a")))
    }
}
