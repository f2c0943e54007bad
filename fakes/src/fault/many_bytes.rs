use super::effect::{Effect, Replacement};
use crate::streamed::generated;

/// The response is 200 with very many bytes, which are generated as the router takes them (Z-25).
///
/// Up to 64 MiB the journal has the body's digest; of more it has the length alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ManyBytes {
    /// How many.
    pub length: u64,
    /// Whether they come in chunks, rather than with `Content-Length`.
    pub chunked: bool,
    /// Whether the second half waits until what is held is released (Z-25, Z-41, Z-59). The journal
    /// says when ([`Event::ResponseRest`](crate::Event::AnswerRest)).
    pub second_half_waits: bool,
}

impl ManyBytes {
    pub(super) fn effect(&self) -> Effect<'_> {
        let fault = *self;
        Effect::Replacement(Replacement::Response(Box::new(move |_, surroundings| {
            generated(
                fault.length,
                fault.chunked,
                fault.second_half_waits.then_some(surroundings.release),
            )
        })))
    }
}
