/// The cell refuses connections: its address stays reserved, but nobody listens (Z-16).
///
/// A router's attempt fails at once (`ECONNREFUSED`).
/// [`Fleet::bring_back`](crate::Fleet::bring_back) ends it, and
/// [`Fleet::take_down`](crate::Fleet::take_down) begins it, for one cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Refuses;
