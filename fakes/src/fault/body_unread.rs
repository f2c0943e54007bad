use super::effect::Effect;

/// The cell does not read the request's body until the release (Z-25).
///
/// Bytes that come in the same segments as the head, and bytes that the operating system buffers,
/// still arrive.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BodyUnread;

impl BodyUnread {
    pub(super) fn effect(&self) -> Effect<'_> {
        Effect::LeavesBodyUnread
    }
}
