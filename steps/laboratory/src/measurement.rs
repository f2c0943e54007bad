//! What measurements share: why one has no result, and what the processes of a router hold, as Linux
//! says in `/proc`: descriptors, threads, memory.

use std::{fmt, fs};

use conformance_suite::engine::Conclusion;
use conformance_suite::stage::{self, RouterError, StageError, StopReason};

/// Hears how far a measurement is, a line at a time.
pub type Tell<'a> = &'a dyn Fn(&str);

/// Why a measurement has no result.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotMeasured {
    /// The suite is at fault.
    #[error("the suite is at fault: {0}")]
    Suite(String),
    /// The router is at fault: it did not become ready, or gave no response.
    #[error("the router is at fault: {0}")]
    Router(String),
    /// Something outside the router prevented it, such as a command that does not exist.
    #[error("not measured: {0}")]
    Prevented(String),
    /// The router does not follow the protocol.
    #[error("{0}")]
    NotFollowed(String),
    /// It was stopped before there was anything to keep.
    #[error("not measured: {0}")]
    Stopped(StopReason),
}

/// An error in words is one of the suite.
impl From<String> for NotMeasured {
    fn from(why: String) -> Self {
        Self::Suite(why)
    }
}

impl From<StageError> for NotMeasured {
    fn from(error: StageError) -> Self {
        let why = error.to_string();
        match error {
            StageError::Suite(_) => Self::Suite(why),
            StageError::Router(RouterError::ProtocolNotFollowed(_)) => Self::NotFollowed(why),
            StageError::NotAsked(_)
            | StageError::Unfit(_)
            | StageError::Router(RouterError::NotStarted { .. } | RouterError::NotReset { .. }) => {
                Self::Prevented(why)
            }
            StageError::Router(_) => Self::Router(why),
        }
    }
}

impl NotMeasured {
    /// What it means for the router; `None` for a protocol that it need not follow, and where it
    /// was stopped.
    pub fn conclusion(&self) -> Option<Conclusion> {
        match self {
            Self::Suite(_) => Some(Conclusion::SuiteFault),
            Self::Router(_) => Some(Conclusion::NotConformant),
            Self::Prevented(_) => Some(Conclusion::Incomplete),
            Self::NotFollowed(_) | Self::Stopped(_) => None,
        }
    }
}

/// Resident memory of all processes of a process group, in bytes; 0 where none is left.
pub(crate) fn resident(leader: i32) -> Result<u64, String> {
    // A process that ended in between counts 0.
    Ok(processes_of(leader)?.filter_map(resident_of).sum())
}

fn processes_of(leader: i32) -> Result<impl Iterator<Item = i32>, String> {
    stage::processes_of(leader).map_err(|error| {
        format!("/proc cannot be read, so a router cannot be measured here: {error}")
    })
}

/// The number of entries of a folder; 0 where there is none.
fn entries(folder: &str) -> u64 {
    fs::read_dir(folder).map_or(0, |entries| entries.count() as u64)
}

/// Resident memory of a process, in bytes.
fn resident_of(pid: i32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.split_ascii_whitespace().next()?.parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
}

/// What all processes of a router hold together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Held {
    /// Open descriptors: files, sockets, pipes.
    pub descriptors: u64,
    pub threads: u64,
    pub bytes: u64,
}

impl Held {
    pub(crate) fn read(leader: i32) -> Result<Self, String> {
        let mut held = Self::default();
        for pid in processes_of(leader)? {
            // A process that ended in between counts 0.
            held.descriptors += entries(&format!("/proc/{pid}/fd"));
            held.threads += entries(&format!("/proc/{pid}/task"));
            held.bytes += resident_of(pid).unwrap_or(0);
        }
        Ok(held)
    }

    pub(crate) fn max(self, other: Self) -> Self {
        Self {
            descriptors: self.descriptors.max(other.descriptors),
            threads: self.threads.max(other.threads),
            bytes: self.bytes.max(other.bytes),
        }
    }

    /// What is more than the router held before, beyond what idle connections, buffers and the
    /// allocator may keep; in words, and `None` where nothing is.
    pub(crate) fn beyond(&self, before: &Self) -> Option<String> {
        let is_beyond = |(_, now, before, spare): &Quantity| *now > before + spare;
        let words =
            |(name, now, before, spare)| format!("{now}{name}, more than {}", before + spare);
        joined(self.beside(before).into_iter().filter(is_beyond).map(words))
    }

    /// What grew in proportion to the time: since `first`, which was after a part of it, by much
    /// more than until then. In words, and `None` where nothing did.
    ///
    /// A heap that is kept has most of its growth early.
    pub(crate) fn in_proportion(&self, before: &Self, first: &Self) -> Option<String> {
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
