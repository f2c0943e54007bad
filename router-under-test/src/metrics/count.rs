//! What is counted.

use std::sync::atomic::{AtomicU64, Ordering};

/// A counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Count {
    /// A request was admitted.
    RequestBegun,
    /// A request ended, with a complete response or not.
    RequestEnded,
    /// A cell's response was given to the user.
    Responded,
    /// The user left before there was a response.
    Abandoned,
    /// A user's connection was accepted.
    ConnectionOpened,
    /// A user's connection ended.
    ConnectionClosed,
    /// The cache knew the owner.
    CacheHit,
    /// The cache did not know the owner.
    CacheMiss,
    /// A cookie named an owner that the cache did not have (CA-15).
    HintUsed,
    /// A cookie that the router did not write, or that is older than its key.
    CookieRejected,
    /// A cookie was given to a user.
    CookieGiven,
    /// A pre-flight named the owner.
    PreflightOwner,
    /// A pre-flight received 404.
    PreflightUnknown,
    /// A pre-flight got no usable response.
    PreflightFailed,
    /// A pre-flight reached no cell.
    PreflightUnreachable,
    /// A connection to a cell was opened.
    UpstreamNew,
    /// A connection to a cell was used again.
    UpstreamReused,
    /// A connection to a cell turned out to be closed, and the request went to another one (Z-17).
    UpstreamRetried,
}

/// A counter per cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CountOf {
    /// A user's request was sent to the cell.
    Hop,
    /// The cell sent a request on to another one.
    Bounce,
}

impl Count {
    /// How many there are: one more than the last of them.
    pub(super) const NUMBER: usize = Self::UpstreamRetried as usize + 1;
}

impl CountOf {
    /// How many there are.
    pub(super) const NUMBER: usize = Self::Bounce as usize + 1;
}

/// Adds without a locked instruction: only the thread that owns the counter writes to it.
pub(super) fn add(counter: &AtomicU64, number: u64) {
    counter.store(counter.load(Ordering::Relaxed).wrapping_add(number), Ordering::Relaxed);
}
