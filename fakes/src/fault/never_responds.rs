use super::effect::{Effect, Replacement};

/// The cell reads the complete request and never responds (Z-14).
///
/// The journal has the request and no response. The connection stays open until the fleet stops.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct NeverResponds;

impl NeverResponds {
    pub(super) fn effect(&self) -> Effect<'_> {
        Effect::Replacement(Replacement::Nothing)
    }
}
