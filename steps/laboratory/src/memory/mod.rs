//! A router's memory while large bodies pass and while it learns many prefixes (Z-20, Z-25, Z-70).
//!
//! It is not part of a run of the suite, since it takes gigabytes and minutes: bodies of a gigabyte
//! down and up, and a hundred thousand paths, each under its own prefix. No document says how much
//! a router may hold, so each load comes in two sizes: memory that grows in proportion is judged,
//! and much memory is a warning.

mod learn;
mod transfer;

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use cell_fleet::Protocol;

use crate::measurement::{NotMeasured, Tell, resident};
use conformance_suite::engine::Conclusion;
use conformance_suite::stage::Launch;
use learn::learn;
use transfer::transfer;

/// Makes all measurements one after the other, each with its own routers. Where it is stopped,
/// those that it has made are kept.
pub async fn measure(
    load: Load,
    launch: &Launch,
    tell: Tell<'_>,
) -> Result<Vec<Measured>, NotMeasured> {
    let mut all = Vec::new();
    let measured = async {
        transfer(load, launch, tell, &mut all).await?;
        tell(&format!("{} prefixes are visited", load.prefixes));
        all.push(learn(load, launch, tell).await?);
        Ok(())
    };
    let measured = tokio::select! {
        reason = launch.stop.requested() => Err(NotMeasured::Stopped(reason)),
        measured = measured => measured,
    };
    match measured {
        Err(NotMeasured::Stopped(_)) if !all.is_empty() => Ok(all),
        measured => measured.map(|()| all),
    }
}

/// The smaller size of a load is this part of the larger one.
const PART: u64 = 4;

#[derive(Clone, Copy, Debug)]
pub struct Load {
    pub protocol: Protocol,
    pub bytes: u64,
    /// Number of paths to learn, each under its own prefix.
    pub prefixes: u64,
}

/// Memory in bytes before, during and after a load.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Used {
    pub before: u64,
    /// The highest value in between.
    pub peak: u64,
    pub after: u64,
}

impl Used {
    /// By how much the peak exceeds the value before.
    pub fn growth(&self) -> u64 {
        self.peak.saturating_sub(self.before)
    }
}

/// One measurement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Measured {
    pub what: String,
    /// By how much the memory grew under a quarter of the load, in bytes.
    pub quarter: u64,
    /// The memory under the whole load.
    pub used: Used,
    /// Growth between the two sizes that is never judged: buffers, and what an allocator or a
    /// garbage collector keeps.
    pub spare: u64,
    /// Growth beyond this is a warning, in bytes.
    pub usual: u64,
    /// Failures of the load itself; the first few, in words.
    pub failures: Vec<String>,
    /// Where the router did something else that the contract permits: what it did.
    pub note: Option<String>,
}

impl Measured {
    /// Whether the memory grows in proportion to the load. If it does, three quarters of the growth
    /// come with the last three quarters of the load. A heap that is filled once and kept grows
    /// mostly in the first quarter.
    pub fn is_in_proportion(&self) -> bool {
        let growth = self.used.growth();
        let later = growth.saturating_sub(self.quarter);
        later > self.spare && later > growth / 2
    }

    /// Whether the memory grows by much, in proportion to the load or not.
    pub fn is_much(&self) -> bool {
        self.used.growth() > self.usual
    }

    pub fn conclusion(all: &[Self]) -> Conclusion {
        if all.iter().any(|one| !one.failures.is_empty()) {
            Conclusion::NotConformant
        } else if all.iter().any(Self::is_in_proportion) {
            Conclusion::OutOfProportion
        } else {
            Conclusion::Conformant
        }
    }
}

const READ_EVERY: Duration = Duration::from_millis(10);

/// Reads the memory of a process group at intervals until it is stopped or dropped.
#[derive(Debug)]
struct MemoryWatch {
    goes_on: Sender<()>,
    thread: JoinHandle<u64>,
}

impl MemoryWatch {
    fn start(leader: i32) -> Self {
        let (goes_on, ends) = channel();
        // A separate thread, since transfers keep the runtime's thread busy.
        let thread = thread::spawn(move || {
            let mut peak = resident(leader).unwrap_or(0);
            while let Err(RecvTimeoutError::Timeout) = ends.recv_timeout(READ_EVERY) {
                peak = peak.max(resident(leader).unwrap_or(0));
            }
            peak
        });
        Self { goes_on, thread }
    }

    /// Stops; returns the highest value in bytes.
    fn stop(self) -> u64 {
        drop(self.goes_on);
        // The thread does nothing that could panic.
        self.thread.join().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A router that grew by these MiB under a quarter, and under all of a load.
    fn grew(quarter: u64, whole: u64) -> Measured {
        let before = 10 << 20;
        let peak = before + (whole << 20);
        Measured {
            what: String::new(),
            quarter: quarter << 20,
            used: Used { before, peak, after: peak },
            spare: 32 << 20,
            usual: 64 << 20,
            failures: Vec::new(),
            note: None,
        }
    }

    #[test]
    fn growth_in_proportion_is_judged_and_a_heap_that_is_kept_is_not() {
        // Routers that keep the whole body, keep half of it, or read on while nobody reads from
        // them.
        for (quarter, whole) in [(256, 1024), (128, 512), (10, 1000)] {
            assert!(grew(quarter, whole).is_in_proportion(), "{quarter} {whole}");
        }
        // Routers that stream, that keep a small heap which they filled once, or that are large
        // programs.
        for (quarter, whole) in [(2, 3), (0, 20), (140, 273), (190, 192), (900, 700)] {
            assert!(!grew(quarter, whole).is_in_proportion(), "{quarter} {whole}");
        }
        assert!(grew(140, 273).is_much() && !grew(2, 3).is_much());
    }
}
