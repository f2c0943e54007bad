//! How a run is stopped from outside: by a signal, or because nobody reads its output any more.
//!
//! A run listens for it, and then ends with a record of what it ran. Where no run listens, the
//! process ends.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

use crate::stage::end_with_routers;

/// The exit status of a process that writes to a pipe without a reader, as shells give it.
const PIPE_CLOSED: i32 = 141;

/// Why a run is stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug, strum::Display)]
pub(crate) enum StopReason {
    /// Ctrl-C.
    #[strum(serialize = "it was interrupted (SIGINT)")]
    Interrupted,
    /// SIGTERM.
    #[strum(serialize = "it was told to end (SIGTERM)")]
    Terminated,
    /// The reader of standard output or standard error has left.
    #[strum(serialize = "its output was closed")]
    OutputClosed,
}

/// What stops a run, and what its cases watch. Clones are the same one.
#[derive(Clone, Debug)]
pub struct Stop(Arc<watch::Sender<Option<StopReason>>>);

impl Default for Stop {
    fn default() -> Self {
        Self(Arc::new(watch::Sender::new(None)))
    }
}

impl Stop {
    /// Stops the run. Returns whether this is the first time; the first reason stays.
    pub(crate) fn request(&self, reason: StopReason) -> bool {
        self.0.send_if_modified(|stopped| {
            let is_first = stopped.is_none();
            stopped.get_or_insert(reason);
            is_first
        })
    }

    /// Why the run was stopped; `None` while it was not.
    pub(crate) fn reason(&self) -> Option<StopReason> {
        *self.0.borrow()
    }

    /// Waits until the run is stopped.
    pub(crate) async fn requested(&self) -> StopReason {
        let mut receiver = self.0.subscribe();
        // `self` keeps the sender alive, so the wait ends with a reason or not at all.
        match receiver.wait_for(Option::is_some).await {
            Ok(reason) => reason.unwrap_or(StopReason::Interrupted),
            Err(_) => std::future::pending().await,
        }
    }
}

/// The run that listens.
static LISTENER: Mutex<Option<Stop>> = Mutex::new(None);

fn listener() -> MutexGuard<'static, Option<Stop>> {
    LISTENER.lock().unwrap_or_else(PoisonError::into_inner)
}

/// While this value lives, SIGINT and SIGTERM stop the run instead of ending the process.
#[derive(Debug)]
pub(crate) struct Listening(());

impl Drop for Listening {
    fn drop(&mut self) {
        *listener() = None;
    }
}

/// Lets SIGINT, SIGTERM and a closed output stop a run from now on.
pub(crate) fn listen(stop: &Stop) -> Listening {
    *listener() = Some(stop.clone());
    crate::stage::handle_signals();
    Listening(())
}

/// Tells the run that listens to stop. Returns false if the process must end instead: nothing
/// listens, or the run has been told before.
pub(crate) fn tell(reason: StopReason) -> bool {
    listener().as_ref().is_some_and(|stop| stop.request(reason))
}

/// Ends the run that listens, or the process with all its routers.
pub(crate) fn end(reason: StopReason) {
    let has_listener = listener().as_ref().map(|stop| stop.request(reason)).is_some();
    if !has_listener {
        end_with_routers(PIPE_CLOSED);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_first_reason_stays_and_every_clone_hears_of_it() {
        let stop = Stop::default();
        let other = stop.clone();
        assert_eq!(other.reason(), None);
        assert!(stop.request(StopReason::OutputClosed));
        assert!(!other.request(StopReason::Interrupted));
        assert_eq!(other.reason(), Some(StopReason::OutputClosed));
        assert_eq!(other.requested().await, StopReason::OutputClosed);
    }
}
