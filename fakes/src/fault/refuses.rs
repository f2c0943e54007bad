/// The cell refuses connections: its address stays reserved without a listener (Z-16).
///
/// A router's attempt to connect fails at once (`ECONNREFUSED`).
/// [`Fleet::bring_back`](crate::Fleet::bring_back) ends the fault for one cell;
/// [`Fleet::take_down`](crate::Fleet::take_down) has the same effect while the fleet runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Refuses;
