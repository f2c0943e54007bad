use super::effect::Effect;

/// The cell reads nothing of the request's body until what is held is released (Z-25).
///
/// What came with the head in the same segments, and what the system takes in, has of course
/// arrived.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BodyUnread;

impl BodyUnread {
    pub(super) fn effect(&self) -> Effect<'_> {
        Effect::LeavesBodyUnread
    }
}
