//! Whether this program may start itself again, as a guard and as routers in their own sessions.

use std::sync::atomic::{AtomicBool, Ordering};

static ALLOWED: AtomicBool = AtomicBool::new(false);

/// Allows this program to start children of itself: its `main` knows them by their arguments.
pub(super) fn allow() {
    ALLOWED.store(true, Ordering::Relaxed);
}

/// Whether this program may start children of itself.
pub(super) fn are_allowed() -> bool {
    ALLOWED.load(Ordering::Relaxed)
}
