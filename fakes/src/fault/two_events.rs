use super::effect::{Effect, Replacement};
use crate::streamed::events;

/// The response is a stream of two events (`text/event-stream`, in chunks), the second of which
/// waits until what is held is released (Z-25). The journal says when
/// ([`Event::ResponseRest`](crate::Event::AnswerRest)).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TwoEvents;

impl TwoEvents {
    /// The events as they are sent.
    pub(crate) const EVENTS: [&str; 2] = ["data: one\n\n", "data: two\n\n"];

    pub(super) fn effect(&self) -> Effect<'_> {
        Effect::Replacement(Replacement::Response(Box::new(|_, surroundings| {
            events(Self::EVENTS, surroundings.release)
        })))
    }
}
