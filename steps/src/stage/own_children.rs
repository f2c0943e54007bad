//! Whether this program starts children of itself: a guard, and routers in their own sessions.

use std::sync::atomic::{AtomicBool, Ordering};

static ALLOWED: AtomicBool = AtomicBool::new(false);

/// From now on it does: its `main` knows them by their arguments.
pub(super) fn allow() {
    ALLOWED.store(true, Ordering::Relaxed);
}

/// Whether it does.
pub(super) fn are_allowed() -> bool {
    ALLOWED.load(Ordering::Relaxed)
}
