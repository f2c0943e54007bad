//! The peak memory of a router: of its process and all processes that it started.

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::machine::resident;

/// How often the memory is read.
const INTERVAL: Duration = Duration::from_millis(10);

/// Reads the memory of a process group at intervals until it is stopped or dropped.
#[derive(Debug)]
pub(super) struct MemoryWatch {
    goes_on: Sender<()>,
    thread: JoinHandle<u64>,
}

impl MemoryWatch {
    /// Starts to read the memory of the group of `leader`.
    pub(super) fn start(leader: i32) -> Self {
        let (goes_on, ends) = channel();
        // A separate thread, since transfers keep the runtime's thread busy.
        let thread = thread::spawn(move || {
            let mut peak = resident(leader).unwrap_or(0);
            while let Err(RecvTimeoutError::Timeout) = ends.recv_timeout(INTERVAL) {
                peak = peak.max(resident(leader).unwrap_or(0));
            }
            peak
        });
        Self { goes_on, thread }
    }

    /// Stops; returns the highest value in bytes.
    pub(super) fn stop(self) -> u64 {
        drop(self.goes_on);
        // The thread does nothing that could panic.
        self.thread.join().unwrap_or(0)
    }
}
