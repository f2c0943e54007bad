//! How a run is stopped from outside: by a signal, or because nobody reads its output anymore.
//!
//! The program gives a closure that hears of it: its run then ends with a record of what it ran.
//! Where there is none, the process ends.

use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use tokio::sync::watch;

use super::process_groups::{end_with_routers, handle_signals};

/// The exit status of a process that writes to a pipe without a reader, as shells give it.
const PIPE_CLOSED: i32 = 141;

/// What comes within this time of the first reason is the same wish to end: `timeout` tells a
/// process and then its group, service managers send SIGTERM and SIGHUP, and Ctrl-C ends the reader
/// of a pipe as well.
const MOMENT: Duration = Duration::from_millis(500);

/// Why a run is stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug, strum::Display)]
pub enum StopReason {
    /// Ctrl-C.
    #[strum(serialize = "it was interrupted (SIGINT)")]
    Interrupted,
    /// SIGTERM.
    #[strum(serialize = "it was told to end (SIGTERM)")]
    Terminated,
    /// SIGHUP: its terminal was closed.
    #[strum(serialize = "its terminal was closed (SIGHUP)")]
    HungUp,
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
    pub fn request(&self, reason: StopReason) -> bool {
        self.0.send_if_modified(|stopped| {
            let is_first = stopped.is_none();
            stopped.get_or_insert(reason);
            is_first
        })
    }

    /// Why the run was stopped; `None` while it was not.
    pub fn reason(&self) -> Option<StopReason> {
        *self.0.borrow()
    }

    pub async fn requested(&self) -> StopReason {
        let mut receiver = self.0.subscribe();
        // `self` keeps the sender alive, so the wait ends with a reason or not at all.
        match receiver.wait_for(Option::is_some).await {
            Ok(reason) => reason.unwrap_or(StopReason::Interrupted),
            Err(_) => std::future::pending().await,
        }
    }
}

/// What the program does when this process is told to stop; returns whether the process goes on.
type Heard = Box<dyn Fn(StopReason) -> bool + Send + Sync>;

/// Absent until the program gives one: without it, the process ends.
static HEARD: OnceLock<Heard> = OnceLock::new();

/// From now on, SIGINT, SIGTERM, SIGHUP and a closed output call `heard` instead of ending the
/// process. A process gives one, once.
pub fn on_stop(heard: impl Fn(StopReason) -> bool + Send + Sync + 'static) {
    // This fails for a second closure alone.
    let _ = HEARD.set(Box::new(heard));
    handle_signals();
}

/// Tells the program's closure. Returns false if the process must end: there is no closure, or it
/// was told before this moment.
pub(super) fn tell(reason: StopReason) -> bool {
    static FIRST: OnceLock<Instant> = OnceLock::new();
    let first = FIRST.get_or_init(Instant::now);
    HEARD.get().is_some_and(|heard| heard(reason) || first.elapsed() < MOMENT)
}

/// Tells the program's closure that nobody reads the output anymore. Without one, ends the process
/// with all its routers.
pub fn end_without_reader() {
    tell(StopReason::OutputClosed);
    if HEARD.get().is_none() {
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
