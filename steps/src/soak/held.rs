//! What the processes of a router hold: descriptors, threads, memory.

use std::fmt;
use std::fs;

use crate::memory::processes_of;

/// What all processes of a router hold together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Held {
    /// Open descriptors: files, sockets, pipes.
    pub descriptors: u64,
    /// Threads.
    pub threads: u64,
    /// Resident memory in bytes.
    pub bytes: u64,
}

impl Held {
    /// What the process group of `leader` holds now.
    ///
    /// # Errors
    ///
    /// Where `/proc` cannot be read, in words.
    pub(super) fn of(leader: i32) -> Result<Self, String> {
        let mut held = Self::default();
        for pid in processes_of(leader)? {
            // A process that ended in between counts 0.
            held.descriptors += entries(&format!("/proc/{pid}/fd"));
            held.threads += entries(&format!("/proc/{pid}/task"));
            held.bytes += crate::memory::resident_of(pid).unwrap_or(0);
        }
        Ok(held)
    }

    /// What is more than the router held before, beyond what idle connections, buffers and the
    /// allocator may keep; in words, and `None` where nothing is.
    pub(super) fn beyond(&self, before: &Self) -> Option<String> {
        let descriptors = before.descriptors + SPARE_DESCRIPTORS;
        let bytes = before.bytes + SPARE_BYTES;
        let threads = before.threads + SPARE_THREADS;
        let mut words = Vec::new();
        if self.descriptors > descriptors {
            words.push(format!("{} descriptors, at most {descriptors}", self.descriptors));
        }
        if self.threads > threads {
            words.push(format!("{} threads, at most {threads}", self.threads));
        }
        if self.bytes > bytes {
            words.push(format!("{} MiB, at most {}", self.bytes >> 20, bytes >> 20));
        }
        (!words.is_empty()).then(|| words.join("; "))
    }
}

/// Descriptors that a router may hold more than before: connections to cells that are still open.
const SPARE_DESCRIPTORS: u64 = 64;
/// Threads that a pool may have started.
const SPARE_THREADS: u64 = 16;
/// Memory that an allocator may keep.
const SPARE_BYTES: u64 = 64 << 20;

fn entries(folder: &str) -> u64 {
    fs::read_dir(folder).map_or(0, |entries| entries.count() as u64)
}

impl fmt::Display for Held {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { descriptors, threads, bytes } = self;
        write!(f, "{descriptors} descriptors, {threads} threads, {} MiB", bytes.div_ceil(1 << 20))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_than_what_may_stay_is_named() {
        let before = Held { descriptors: 20, threads: 3, bytes: 10 << 20 };
        assert_eq!(Held { descriptors: 84, threads: 19, bytes: 74 << 20 }.beyond(&before), None);
        let after = Held { descriptors: 85, threads: 20, bytes: 80 << 20 };
        let words = "85 descriptors, at most 84; 20 threads, at most 19; 80 MiB, at most 74";
        assert_eq!(after.beyond(&before).as_deref(), Some(words));
    }
}
