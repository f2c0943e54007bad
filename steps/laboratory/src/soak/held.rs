//! What the processes of a router hold: descriptors, threads, memory.

use std::fmt;

use crate::measurement::{entries, processes_of, resident_of};

/// What all processes of a router hold together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Held {
    /// Open descriptors: files, sockets, pipes.
    pub descriptors: u64,
    pub threads: u64,
    pub bytes: u64,
}

impl Held {
    /// What the process group of `leader` holds now.
    pub(super) fn read(leader: i32) -> Result<Self, String> {
        let mut held = Self::default();
        for pid in processes_of(leader)? {
            // A process that ended in between counts 0.
            held.descriptors += entries(&format!("/proc/{pid}/fd"));
            held.threads += entries(&format!("/proc/{pid}/task"));
            held.bytes += resident_of(pid).unwrap_or(0);
        }
        Ok(held)
    }

    pub(super) fn max(self, other: Self) -> Self {
        Self {
            descriptors: self.descriptors.max(other.descriptors),
            threads: self.threads.max(other.threads),
            bytes: self.bytes.max(other.bytes),
        }
    }

    /// What is more than the router held before, beyond what idle connections, buffers and the
    /// allocator may keep; in words, and `None` where nothing is.
    pub(super) fn beyond(&self, before: &Self) -> Option<String> {
        let is_beyond = |(_, now, before, spare): &Quantity| *now > before + spare;
        let words =
            |(name, now, before, spare)| format!("{now}{name}, more than {}", before + spare);
        joined(self.beside(before).into_iter().filter(is_beyond).map(words))
    }

    /// What grew in proportion to the time: since `first`, which was after a part of it, by much
    /// more than until then. In words, and `None` where nothing did.
    ///
    /// A heap that is kept has most of its growth early.
    pub(super) fn in_proportion(&self, before: &Self, first: &Self) -> Option<String> {
        let rows = self.beside(first).into_iter().zip(first.beside(before));
        let grew = rows.filter_map(|((name, now, first, spare), (_, _, before, _))| {
            let (early, later) = (first.saturating_sub(before), now.saturating_sub(first));
            (later > spare && later > 2 * early)
                .then(|| format!("{before}, then {first}, then {now}{name}"))
        });
        joined(grew)
    }

    /// Each quantity: its name, how much of it there is now and was before, and what may be added
    /// in any case.
    fn beside(&self, before: &Self) -> [Quantity; 3] {
        [
            (" descriptors", self.descriptors, before.descriptors, SPARE_DESCRIPTORS),
            (" threads", self.threads, before.threads, SPARE_THREADS),
            (" MiB", self.bytes.div_ceil(1 << 20), before.bytes.div_ceil(1 << 20), SPARE_MEBIBYTES),
        ]
    }
}

type Quantity = (&'static str, u64, u64, u64);

fn joined(words: impl Iterator<Item = String>) -> Option<String> {
    let words: Vec<_> = words.collect();
    (!words.is_empty()).then(|| words.join("; "))
}

/// Descriptors that a router may hold more than before: connections to cells that are still open.
const SPARE_DESCRIPTORS: u64 = 64;
/// Threads that a pool may have started.
const SPARE_THREADS: u64 = 16;
/// Memory that an allocator may keep, in MiB.
const SPARE_MEBIBYTES: u64 = 64;

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
    fn what_grows_with_the_time_is_in_proportion_and_what_was_kept_early_is_not() {
        let held =
            |descriptors, mebibytes: u64| Held { descriptors, threads: 4, bytes: mebibytes << 20 };
        let before = held(20, 10);
        let leaks = held(420, 10).in_proportion(&before, &held(100, 10));
        assert_eq!(leaks.as_deref(), Some("20, then 100, then 420 descriptors"));
        let grows = held(20, 210).in_proportion(&before, &held(20, 50));
        assert_eq!(grows.as_deref(), Some("10, then 50, then 210 MiB"));
        for (first, after) in [(held(20, 160), held(20, 273)), (held(60, 40), held(70, 60))] {
            assert_eq!(after.in_proportion(&before, &first), None);
        }
    }
}
