//! What the starts of routers cost.

use serde::{Deserialize, Serialize};

use super::milliseconds;
use crate::stage::StartsTotal;

/// How often a router was started, and what that cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct StartsRecord {
    /// How many routers became ready.
    pub number: u64,
    /// How long that took, one after the other, in milliseconds.
    pub took_ms: u64,
    /// How long a processor was at work for them until they were ready, in milliseconds.
    pub processor_ms: u64,
}

impl StartsRecord {
    /// Starts in words: `612 starts of the router, 313 ms each, 4 ms of them processor time`.
    pub fn words(&self) -> String {
        let each = |ms: u64| ms / self.number.max(1);
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
            took_ms: self.took_ms + other.took_ms,
            processor_ms: self.processor_ms + other.processor_ms,
        }
    }

    /// How long one took on average, in milliseconds.
    pub(crate) fn mean_ms(&self) -> u64 {
        self.took_ms / self.number.max(1)
    }
}

impl StartsTotal {
    /// The record of the starts since; `None` where there was none, or nothing is known of them.
    pub(crate) fn record_since(self, before: Self) -> Option<StartsRecord> {
        let number = self.number - before.number;
        (number > 0).then(|| StartsRecord {
            number,
            took_ms: milliseconds(self.took - before.took),
            processor_ms: milliseconds(self.processor - before.processor),
        })
    }
}
