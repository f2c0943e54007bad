//! What is measured, and what it means.

use cell_fleet::Protocol;

use conformance_suite::engine::Conclusion;

/// The smaller size of a load is this part of the larger one.
pub(super) const PART: u64 = 4;

#[derive(Clone, Copy, Debug)]
pub struct Load {
    pub protocol: Protocol,
    /// Bytes of a body.
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
    /// The load in words.
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

    /// The conclusion of some measurements.
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
