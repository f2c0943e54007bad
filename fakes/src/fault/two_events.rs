use super::effect::{Effect, Replacement};
use crate::streamed::events;

/// The response is a stream of two events (`text/event-stream`, in chunks). The second one waits
/// for the release (Z-25), which the journal records as
/// [`Event::ResponseRest`](crate::Event::ResponseRest).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TwoEvents;

impl TwoEvents {
    pub(crate) const EVENTS: [&str; 2] = ["data: one\n\n", "data: two\n\n"];

    pub(super) fn effect(&self) -> Effect<'_> {
        Effect::Replacement(Replacement::Response(Box::new(|_, context| {
            events(Self::EVENTS, context.release)
        })))
    }
}
