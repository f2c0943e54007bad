//! What the starts of routers cost.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::stage::StartsTotal;

/// What the starts of the router cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct StartsRecord {
    /// How many there were.
    pub number: u64,
    /// How many of them were measured: the first, and some of the others.
    pub measured: u64,
    /// How long those took until the router was ready, one after the other, in milliseconds.
    pub took_ms: u64,
    /// How long a processor was at work for them until they were ready, in milliseconds.
    pub processor_ms: u64,
}

impl StartsRecord {
    /// Starts in words: `612 starts of the router, 313 ms each, 4 ms of them processor time`.
    pub fn words(&self) -> String {
        let each = |ms: u64| ms / self.measured.max(1);
        format!(
            "{} of the router, {} ms each, {} ms of them processor time",
            crate::engine::counted(usize::try_from(self.number).unwrap_or(usize::MAX), "start"),
            each(self.took_ms),
            each(self.processor_ms)
        )
    }

    /// Both together.
    pub(crate) fn and(self, other: Self) -> Self {
        Self {
            number: self.number + other.number,
            measured: self.measured + other.measured,
            took_ms: self.took_ms + other.took_ms,
            processor_ms: self.processor_ms + other.processor_ms,
        }
    }

    /// How long one took on average, in milliseconds.
    pub(crate) fn mean_ms(&self) -> u64 {
        self.took_ms / self.measured.max(1)
    }
}

impl StartsTotal {
    /// The record of the starts since; `None` where none of them was measured.
    pub(crate) fn record_since(self, before: Self) -> Option<StartsRecord> {
        let measured = self.measured - before.measured;
        let milliseconds = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        (measured > 0).then(|| StartsRecord {
            number: self.number - before.number,
            measured,
            took_ms: milliseconds(self.took - before.took),
            processor_ms: milliseconds(self.processor - before.processor),
        })
    }
}
