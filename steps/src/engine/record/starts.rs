//! How long the starts of routers take.

use serde::{Deserialize, Serialize};

use super::milliseconds;
use crate::engine::counted;
use crate::stage::StartsTotal;

/// How long the starts of the router took.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct StartsRecord {
    /// How many there were.
    pub number: u64,
    /// How long they took until the router was ready, one after the other, in milliseconds.
    pub took_ms: u64,
}

impl StartsRecord {
    /// Starts in words: `612 starts of the router, 313 ms each, while others start`.
    pub fn words(&self) -> String {
        let starts = counted(usize::try_from(self.number).unwrap_or(usize::MAX), "start");
        format!("{starts} of the router, {} ms each, while others start", self.mean_ms())
    }

    /// Both together.
    pub(crate) fn and(self, other: Self) -> Self {
        Self { number: self.number + other.number, took_ms: self.took_ms + other.took_ms }
    }

    /// How long one took on average, in milliseconds.
    pub(crate) fn mean_ms(&self) -> u64 {
        self.took_ms / self.number.max(1)
    }
}

impl StartsTotal {
    /// The record of the starts since; `None` where there was none.
    pub(crate) fn record_since(self, before: Self) -> Option<StartsRecord> {
        let number = self.number - before.number;
        let took_ms = milliseconds(self.took - before.took);
        (number > 0).then_some(StartsRecord { number, took_ms })
    }
}
