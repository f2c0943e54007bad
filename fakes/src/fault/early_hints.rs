use super::effect::{Delivery, Effect};

/// The cell sends 103 with a `Link` before its response (RFC 8297, RFC 9110 15.2).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct EarlyHints;

impl EarlyHints {
    /// The interim response.
    pub(crate) const BYTES: &[u8] =
        b"HTTP/1.1 103 Early Hints\r\nLink: </assets/page.css>; rel=preload; as=style\r\n\r\n";

    pub(super) fn effect(&self) -> Effect<'_> {
        Effect::Delivers(Delivery::AfterEarlyHints)
    }
}
