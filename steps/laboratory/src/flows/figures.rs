//! What is counted of a flow.

use serde::{Deserialize, Serialize};

/// The figures of one request, or of a flow.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Figures {
    /// Requests of users at cells.
    pub requests: f64,
    /// Pre-flights at cells.
    pub preflights: f64,
    /// Requests and pre-flights at Cell US0, the first one and the latest deployment.
    pub at_us0: f64,
    /// Round trips between regions that the user waits for, one after the other.
    pub crossings: f64,
    /// Bytes of users' bodies that the router kept.
    pub kept_bytes: f64,
    /// Reads of shared databases in the region of the cell that reads.
    pub reads_home: f64,
    /// Reads of shared databases in another region.
    pub reads_abroad: f64,
    /// Writes to shared databases in the region of the cell that writes.
    pub writes_home: f64,
    /// Writes to shared databases in another region.
    pub writes_abroad: f64,
    /// Reads of sessions, wherever they are kept.
    pub session_reads: f64,
}

/// The name of each figure, and the figure.
pub(crate) const NAMES: [&str; 10] = [
    "requests",
    "pre-flights",
    "at US0",
    "crossings",
    "bytes kept",
    "reads at home",
    "reads abroad",
    "writes at home",
    "writes abroad",
    "session reads",
];

impl Figures {
    /// The figures in their order.
    pub fn values(&self) -> [f64; 10] {
        [
            self.requests,
            self.preflights,
            self.at_us0,
            self.crossings,
            self.kept_bytes,
            self.reads_home,
            self.reads_abroad,
            self.writes_home,
            self.writes_abroad,
            self.session_reads,
        ]
    }

    /// Figure by figure.
    pub(crate) fn with(self, other: Self, join: impl Fn(f64, f64) -> f64) -> Self {
        Self {
            requests: join(self.requests, other.requests),
            preflights: join(self.preflights, other.preflights),
            at_us0: join(self.at_us0, other.at_us0),
            crossings: join(self.crossings, other.crossings),
            kept_bytes: join(self.kept_bytes, other.kept_bytes),
            reads_home: join(self.reads_home, other.reads_home),
            reads_abroad: join(self.reads_abroad, other.reads_abroad),
            writes_home: join(self.writes_home, other.writes_home),
            writes_abroad: join(self.writes_abroad, other.writes_abroad),
            session_reads: join(self.session_reads, other.session_reads),
        }
    }

    /// Both together.
    pub(crate) fn plus(self, other: Self) -> Self {
        self.with(other, |mine, theirs| mine + theirs)
    }

    /// All figures multiplied by `factor`.
    pub(crate) fn times(self, factor: f64) -> Self {
        self.with(Self::default(), |mine, _| mine * factor)
    }

    /// The sum of some.
    pub(crate) fn sum(all: impl IntoIterator<Item = Self>) -> Self {
        all.into_iter().fold(Self::default(), Self::plus)
    }

    /// The greatest of each.
    pub(crate) fn greatest(all: impl IntoIterator<Item = Self>) -> Self {
        all.into_iter().fold(Self::default(), |mine, theirs| mine.with(theirs, f64::max))
    }
}
