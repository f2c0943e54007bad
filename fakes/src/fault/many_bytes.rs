use super::effect::{Effect, Replacement};
use crate::streamed::generated;

/// The response is 200 with a large body, which is generated while the router reads it (Z-25).
///
/// The journal has the digest of a body up to 64 MiB, and only the length of a longer one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ManyBytes {
    /// The length of the body in bytes.
    pub length: u64,
    /// Whether the body is sent in chunks instead of with `Content-Length`.
    pub chunked: bool,
    /// Whether the second half waits for the release (Z-25, Z-41, Z-59), which the journal records
    /// as [`Event::ResponseRest`](crate::Event::ResponseRest).
    pub second_half_waits: bool,
}

impl ManyBytes {
    pub(super) fn effect(&self) -> Effect<'_> {
        let fault = *self;
        Effect::Replacement(Replacement::Response(Box::new(move |_, context| {
            generated(
                fault.length,
                fault.chunked,
                fault.second_half_waits.then_some(context.release),
            )
        })))
    }
}
