//! Tells when a body has been handed over, because only then the wait for the response begins.

use std::cell::Cell;
use std::rc::Rc;

use tokio::sync::Notify;

/// Whether the last byte of a body was handed to the connection.
#[derive(Clone, Debug, Default)]
pub(crate) struct Progress(Option<Rc<Pending>>);

#[derive(Debug, Default)]
struct Pending {
    finished: Cell<bool>,
    notify: Notify,
}

impl Progress {
    /// A body that is handed over with the head.
    pub(super) fn done() -> Self {
        Self(None)
    }

    /// A body that takes its time.
    pub(super) fn pending() -> Self {
        Self(Some(Rc::default()))
    }

    /// The last byte was handed over.
    pub(super) fn finish(&self) {
        if let Some(pending) = &self.0 {
            pending.finished.set(true);
            pending.notify.notify_one();
        }
    }

    /// Returns when the last byte was handed over.
    pub(crate) async fn finished(&self) {
        if let Some(pending) = &self.0 {
            while !pending.finished.get() {
                pending.notify.notified().await;
            }
        }
    }
}
