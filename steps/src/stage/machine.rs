//! Watches the machine: a thread that only sleeps notes how late it wakes. What a router did while
//! the machine stalled says nothing about the router.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::stop::Stop;

/// How often the thread asks to wake.
const BEAT: Duration = Duration::from_millis(10);
/// The most stalls that are kept: those of the last minutes where every beat is late.
const KEPT: usize = 16_384;
/// A stall explains a finding if it is longer than the bound on which the finding rests, divided by
/// this number. CONTRIBUTING.md has the measurement.
const PART: u32 = 4;
/// How long the machine has to be quiet before a scenario is run again.
const QUIET: Duration = Duration::from_secs(1);
/// How long a machine is given to become quiet. Then the scenario is run again all the same.
const PATIENCE: Duration = Duration::from_secs(10);

/// What the thread has noted.
#[derive(Debug)]
struct Beats {
    /// When it woke last.
    last: Instant,
    /// When stalls ended, and how long they were.
    stalls: VecDeque<(Instant, Duration)>,
}

impl Beats {
    /// The thread woke.
    fn wake(&mut self, now: Instant) {
        let late = now.saturating_duration_since(self.last + BEAT);
        self.last = now;
        if late > Duration::from_millis(1) {
            self.stalls.push_back((now, late));
            if self.stalls.len() > KEPT {
                self.stalls.pop_front();
            }
        }
    }

    /// The stalls since then, the one included that lasts. One that began before counts from then
    /// on.
    fn since(&self, then: Instant, now: Instant) -> impl Iterator<Item = Duration> {
        let lasting = (now, now.saturating_duration_since(self.last + BEAT));
        let ended = self.stalls.iter().copied().rev().take_while(move |(end, _)| *end > then);
        ended.chain([lasting]).map(move |(end, late)| late.min(end.saturating_duration_since(then)))
    }
}

/// The notes of this process: `None` if it could have no further thread.
static BEATS: OnceLock<Option<&'static Mutex<Beats>>> = OnceLock::new();

/// The notes. The first call begins to watch.
fn beats() -> Option<MutexGuard<'static, Beats>> {
    let beats = BEATS.get_or_init(|| {
        let beats = Beats { last: Instant::now(), stalls: VecDeque::new() };
        let beats: &'static Mutex<Beats> = Box::leak(Box::new(Mutex::new(beats)));
        let beat = move || {
            loop {
                thread::sleep(BEAT);
                lock(beats).wake(Instant::now());
            }
        };
        let thread = thread::Builder::new().name("heartbeat".to_owned()).spawn(beat);
        thread.is_ok().then_some(beats)
    });
    beats.map(lock)
}

/// A panic elsewhere leaves no note half written.
fn lock(beats: &Mutex<Beats>) -> MutexGuard<'_, Beats> {
    beats.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A moment from which on stalls are looked for. The first one begins to watch the machine.
pub(crate) fn now() -> Instant {
    drop(beats());
    Instant::now()
}

/// The worst stall of the machine since then, in whole milliseconds, as reports have it.
pub(crate) fn worst_since(then: Instant) -> Duration {
    let worst = beats().and_then(|beats| beats.since(then, Instant::now()).max());
    let ms = worst.unwrap_or_default().as_millis();
    Duration::from_millis(u64::try_from(ms).unwrap_or(u64::MAX))
}

/// All stalls of the machine since then together.
pub(super) fn sum_since(then: Instant) -> Duration {
    beats().map_or(Duration::ZERO, |beats| beats.since(then, Instant::now()).sum())
}

/// Whether a stall may be why something took longer than this bound.
pub(crate) fn explains(stall: Duration, bound: Duration) -> bool {
    stall.saturating_mul(PART) > bound
}

/// How much of the last ten seconds some process waited for a processor, in words; empty where the
/// system does not tell.
pub(crate) fn pressure() -> String {
    let text = std::fs::read_to_string("/proc/pressure/cpu").unwrap_or_default();
    let percent = text.split_whitespace().find_map(|word| word.strip_prefix("avg10="));
    percent.map_or(String::new(), |it| {
        format!("; processes waited for a processor {it} % of the time")
    })
}

/// Waits until the machine has been quiet for a second: no stall in it explains something that took
/// longer than this bound. The wait ends after ten seconds, or when the run is stopped.
pub(crate) fn wait_until_quiet(bound: Duration, stop: &Stop) {
    let end = now() + PATIENCE;
    while stop.reason().is_none() && Instant::now() < end {
        let began = Instant::now();
        thread::sleep(QUIET);
        if !explains(worst_since(began), bound) {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    #[test]
    fn a_late_beat_is_a_stall_of_what_it_overlaps() {
        let began = Instant::now();
        let mut beats = Beats { last: began, stalls: VecDeque::new() };
        for at in [10, 20, 330, 340] {
            beats.wake(began + ms(at));
        }
        let since = |then, now| beats.since(began + ms(then), began + ms(now)).max().unwrap();
        assert_eq!(since(0, 345), ms(300));
        // A case that began in the middle of it, and one that began after it.
        assert_eq!(since(230, 345), ms(100));
        assert_eq!(since(335, 345), ms(0));
        // One that lasts: the next beat is overdue.
        assert_eq!(since(335, 850), ms(500));
        assert_eq!(since(700, 850), ms(150));
        assert_eq!(beats.since(began, began + ms(345)).sum::<Duration>(), ms(300));
    }

    #[test]
    fn the_watch_sees_a_stall_of_this_process() {
        let began = now();
        // Whoever holds the notes keeps the thread from its beat: what it sees is a stall.
        let held = beats();
        thread::sleep(ms(60));
        drop(held);
        assert!(worst_since(began) >= ms(40), "{:?}", worst_since(began));
    }
}
