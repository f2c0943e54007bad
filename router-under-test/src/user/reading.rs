//! How slowly a user may take a response, where others need what it holds.

use std::io;
use std::task::Waker;
use std::time::{Duration, Instant};

use crate::config::BodyTimeout;
use crate::shed::{Held, Slow};

/// How quickly a user takes the bytes of a response. Only the time counts in which there is more than
/// the connection takes, so a slow cell makes no slow user.
#[derive(Debug)]
pub(super) struct Reading {
    /// What a user has for taking a response is what there is for sending a body.
    timeout: BodyTimeout,
    held: Option<Held>,
    /// Since when the connection takes no more.
    blocked: Option<Instant>,
    /// How long it took no more, and how many bytes it took, since the user last kept up.
    waited: Duration,
    taken: u64,
    slow: Option<Slow>,
}

impl Reading {
    /// There is no response yet.
    pub(super) fn new(timeout: BodyTimeout) -> Self {
        let waited = Duration::ZERO;
        Self { timeout, held: None, blocked: None, waited, taken: 0, slow: None }
    }

    /// A response begins that holds this, or it is over.
    pub(super) fn begin(&mut self, held: Option<Held>) {
        *self = Self { held, ..Self::new(self.timeout) };
    }

    /// So much was written; `blocks` where the connection takes no more.
    pub(super) fn wrote(&mut self, bytes: u64, blocks: bool) {
        (self.waited, self.blocked) = (self.behind(), None);
        self.taken = self.taken.saturating_add(bytes);
        if self.keeps_up() {
            (self.waited, self.taken) = (Duration::ZERO, 0);
        }
        self.blocked = blocks.then(Instant::now);
    }

    /// An error where the response is to end. `looks` where it is time to see whether the user is
    /// slow.
    pub(super) fn watch(&mut self, looks: bool, waker: &Waker) -> io::Result<()> {
        if self.slow.as_ref().is_some_and(Slow::is_ended) {
            let why = "the user took it too slowly, and another needed the place";
            return Err(io::Error::new(io::ErrorKind::TimedOut, why));
        }
        if looks {
            let is_slow = self.behind() >= self.timeout.grace && !self.keeps_up();
            self.slow = match (is_slow, self.slow.take(), &self.held) {
                (true, None, Some(held)) => Some(held.by_slow_user(self.behind(), waker.clone())),
                (true, slow, _) => slow,
                (false, ..) => None,
            };
        }
        Ok(())
    }

    fn behind(&self) -> Duration {
        self.waited + self.blocked.map_or(Duration::ZERO, |since| since.elapsed())
    }

    fn keeps_up(&self) -> bool {
        let millis = u64::try_from(self.behind().as_millis()).unwrap_or(u64::MAX);
        self.taken.saturating_mul(1000) >= self.timeout.rate.saturating_mul(millis)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_who_takes_less_than_the_rate_falls_behind() {
        let grace = Duration::from_secs(20);
        let mut reading = Reading::new(BodyTimeout { grace, rate: 500, pause: grace });
        let mut wait = |seconds: u64, bytes: u64| {
            reading.blocked = Instant::now().checked_sub(Duration::from_secs(seconds));
            reading.wrote(bytes, true);
            reading.behind().as_secs()
        };
        assert_eq!(wait(19, 9_600), 0);
        // Small pieces that are each taken as a whole do not hide it.
        assert_eq!([wait(3, 1), wait(3, 1), wait(15, 1_000)], [3, 6, 21]);
        assert_eq!(wait(0, 20_000), 0);
        // What the connection takes at once is no wait.
        reading.wrote(1, false);
        assert_eq!(reading.behind(), Duration::ZERO);
    }
}
