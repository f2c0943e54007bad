//! The peak memory of a router: of its process and all processes that it started.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::machine::resident;

/// How often the memory is read.
const INTERVAL: Duration = Duration::from_millis(10);

/// Reads the memory of a process group at intervals until it is stopped.
#[derive(Debug)]
pub(super) struct MemoryWatch {
    done: Arc<AtomicBool>,
    peak: Arc<AtomicU64>,
    thread: Option<JoinHandle<()>>,
}

impl MemoryWatch {
    /// Starts to read the memory of the group of `leader`.
    pub(super) fn start(leader: i32) -> Self {
        let (done, peak) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
        let (told, highest) = (done.clone(), peak.clone());
        // A separate thread, since transfers keep the runtime's thread busy.
        let thread = thread::spawn(move || {
            while !told.load(Ordering::Relaxed) {
                highest.fetch_max(resident(leader).unwrap_or(0), Ordering::Relaxed);
                thread::sleep(INTERVAL);
            }
        });
        Self { done, peak, thread: Some(thread) }
    }

    /// Stops; returns the highest value in bytes.
    pub(super) fn stop(mut self) -> u64 {
        self.join();
        self.peak.load(Ordering::Relaxed)
    }

    fn join(&mut self) {
        self.done.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // The thread does nothing that could panic.
            let _ = thread.join();
        }
    }
}

impl Drop for MemoryWatch {
    fn drop(&mut self) {
        self.join();
    }
}

#[cfg(test)]
mod tests {
    use conformance_suite::stage::group_of;

    use super::*;

    #[test]
    fn the_highest_value_is_near_what_is_held() {
        let group = group_of(i32::try_from(std::process::id()).unwrap()).unwrap();
        assert!(MemoryWatch::start(group).stop() <= resident(group).unwrap() * 4);
    }
}
