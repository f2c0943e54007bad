use super::effect::{Effect, Replacement};
use super::ending::Ending;

/// The cell reads the complete request and ends the connection instead of responding (Z-14, LN-10,
/// LN-25, Z-17, Z-52).
///
/// The journal has the request and no response.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HangsUp {
    /// How the connection ends.
    pub ending: Ending,
}

impl HangsUp {
    pub(super) fn effect(&self) -> Effect<'_> {
        Effect::Replacement(Replacement::Ends(self.ending))
    }
}
