//! Warnings that cells and users can cause are written a few times a second, each kind for itself.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use tracing::callsite::Identifier;
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::Context;

use super::lines::Lines;

/// Of warnings and errors from one line of the code, so many are written in one period.
const MOST: u32 = 10;
const PERIOD: Duration = Duration::from_secs(1);

/// Leaves out what repeats. An operator who asks for `info` or more gets all of that.
#[derive(Debug)]
pub(super) struct Limit {
    lines: &'static Lines,
    kinds: Mutex<HashMap<Identifier, Kind>>,
}

/// The warnings from one line of the code.
#[derive(Clone, Copy, Debug)]
struct Kind {
    since: Instant,
    written: u32,
    left_out: u64,
}

impl Limit {
    pub(super) fn new(lines: &'static Lines) -> Self {
        Self { lines, kinds: Mutex::default() }
    }
}

impl Kind {
    fn new(now: Instant) -> Self {
        Self { since: now, written: 0, left_out: 0 }
    }

    /// Whether one more may be written, and how many were left out before it.
    fn admit(&mut self, now: Instant) -> Option<u64> {
        if now.saturating_duration_since(self.since) >= PERIOD {
            let left_out = self.left_out;
            *self = Self { written: 1, ..Self::new(now) };
            return Some(left_out);
        }
        if self.written < MOST {
            self.written += 1;
            return Some(0);
        }
        self.left_out += 1;
        None
    }
}

impl<S: Subscriber> Layer<S> for Limit {
    fn event_enabled(&self, event: &Event<'_>, _: Context<'_, S>) -> bool {
        if *event.metadata().level() > Level::WARN {
            return true;
        }
        let now = Instant::now();
        let admitted = {
            let mut kinds = self.kinds.lock().unwrap_or_else(PoisonError::into_inner);
            kinds.entry(event.metadata().callsite()).or_insert_with(|| Kind::new(now)).admit(now)
        };
        if let Some(left_out @ 1..) = admitted {
            self.lines.say(&format!(
                "reference-router: {left_out} lines like the next one were left out"
            ));
        }
        admitted.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_repeats_is_left_out_and_counted() {
        let start = Instant::now();
        let mut kind = Kind::new(start);
        let admitted = (0..15).filter(|_| kind.admit(start) == Some(0)).count();
        assert_eq!(admitted, MOST as usize);
        assert_eq!(kind.admit(start + PERIOD), Some(5));
        assert_eq!(kind.admit(start + PERIOD), Some(0));
    }
}
