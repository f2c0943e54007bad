//! How long users may take.

use std::time::Duration;

/// How long users may keep the router waiting.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UserTimeouts {
    /// For a head, from its first byte.
    pub(crate) head: Duration,
    /// For a body.
    pub(crate) body: BodyTimeout,
    /// For either side of a tunnel.
    pub(crate) tunnel: Duration,
    /// Where the user has closed the sending half, and gets nothing.
    pub(crate) half_closed: Duration,
}

/// What a body may take, in the router's waiting for the user: pauses of the router itself do not
/// count.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BodyTimeout {
    /// For a body of no bytes.
    pub(crate) grace: Duration,
    /// Bytes that earn one more second.
    pub(crate) rate: u64,
    /// The longest single pause, however much has arrived.
    pub(crate) pause: Duration,
}
