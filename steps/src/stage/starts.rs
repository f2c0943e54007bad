//! What the starts of routers cost in a run: how long they take, and how much of it a processor is
//! at work. Where a start only waits, other scenarios can begin meanwhile.

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A start that waits shorter than this is not worth another scenario.
const BRIEF: Duration = Duration::from_millis(8);
/// The weight of the newest start in the moving average.
const LATEST: f64 = 0.25;
/// The least share of a job slot that a start uses: starting and measuring cost something too.
const LEAST: f64 = 1.0 / 32.0;

/// The first starts, all of which are measured. Measuring costs the system much ...
const FIRST: u64 = 8;
/// ... so after them only one start in this many is measured.
const ONE_OF: u64 = 16;

/// What starts have cost so far. Clones are the same one.
#[derive(Clone, Debug, Default)]
pub struct Starts(Arc<Mutex<Measured>>);

#[derive(Clone, Debug, Default)]
struct Measured {
    total: StartsTotal,
    /// Means that follow the latest starts: how long one takes, and how long it needs a processor.
    recent: Option<(f64, f64)>,
}

/// The starts of a run together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct StartsTotal {
    /// How many there were.
    pub number: u64,
    /// How many of them were measured.
    pub measured: u64,
    /// How long those took until the router was ready, one after the other.
    pub took: Duration,
    /// How long a processor was at work for them meanwhile.
    pub processor: Duration,
}

/// A start that is measured.
#[derive(Debug)]
pub(super) struct StartWatch {
    began: Instant,
    /// What the suite's thread had used.
    suite: Used,
}

/// What processes used of the machine, or what they used in some time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Used {
    /// How long a processor was at work for them.
    processor: Duration,
    /// How long they could have gone on, and no processor was free.
    queued: Duration,
}

impl Starts {
    /// Counts a start that begins in this thread. Some are measured.
    pub(super) fn next(&self) -> Option<StartWatch> {
        let mut measured = self.lock();
        measured.total.number += 1;
        let number = measured.total.number;
        drop(measured);
        if number > FIRST && !number.is_multiple_of(ONE_OF) {
            return None;
        }
        Some(StartWatch { began: Instant::now(), suite: Used::of_this_thread()? })
    }

    /// Adds the start of a router that is ready by now.
    pub(super) fn is_ready(&self, watch: &StartWatch, process: i32) {
        let took = watch.began.elapsed();
        if let (Some(router), Some(suite)) = (Used::of_group(process), Used::of_this_thread()) {
            self.add(took, router, suite.since(watch.suite));
        }
    }

    /// Adds a start that was measured. `router` is what the router used, and `suite` what this
    /// thread did meanwhile: a suite that gets no processor sees late that a router is ready.
    fn add(&self, took: Duration, router: Used, suite: Used) {
        let mut measured = self.lock();
        let total = &mut measured.total;
        total.measured += 1;
        total.took += took;
        total.processor += router.processor;
        let busy = (router.sum() + suite.sum()).min(took);
        let (took, busy) = (took.as_secs_f64(), busy.as_secs_f64());
        measured.recent = Some(match measured.recent {
            None => (took, busy),
            Some((mean, busy_mean)) => {
                (mean + LATEST * (took - mean), busy_mean + LATEST * (busy - busy_mean))
            }
        });
    }

    /// The share of a job slot that a scenario uses while this many of its routers start: 1.0 until
    /// a start was measured, and where starts are quick.
    pub(crate) fn share(&self, routers: usize) -> f64 {
        let Some((took, busy)) = self.lock().recent else { return 1.0 };
        if took - busy < BRIEF.as_secs_f64() {
            return 1.0;
        }
        let routers = u32::try_from(routers).map_or(1.0, f64::from);
        (routers * busy / took).clamp(LEAST, 1.0)
    }

    /// All so far.
    pub fn total(&self) -> StartsTotal {
        self.lock().total
    }

    /// A panic elsewhere leaves no figure half written.
    fn lock(&self) -> MutexGuard<'_, Measured> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Used {
    fn sum(self) -> Duration {
        self.processor + self.queued
    }

    /// What was used since.
    fn since(self, before: Self) -> Self {
        Self {
            processor: self.processor.saturating_sub(before.processor),
            queued: self.queued.saturating_sub(before.queued),
        }
    }

    /// What this thread has used; `None` where the system does not tell.
    fn of_this_thread() -> Option<Self> {
        Self::in_file(Path::new("/proc/thread-self/schedstat"))
    }

    /// What the processes of a group have used, those included that they have waited for; `None`
    /// where the system does not tell. Time in a queue is that of first threads alone.
    fn of_group(leader: i32) -> Option<Self> {
        let mut used: Option<Self> = None;
        for (process, processor) in super::processes::processor_times(leader) {
            let first = Self::in_file(Path::new(&format!("/proc/{process}/schedstat")));
            let Some(first) = first else { continue };
            let used = used.get_or_insert_default();
            // Ticks are coarse, and have all threads.
            used.processor += processor.max(first.processor);
            used.queued += first.queued;
        }
        used
    }

    /// Reads `/proc/PID/schedstat`: nanoseconds on a processor, and those of waiting for one.
    fn in_file(path: &Path) -> Option<Self> {
        let text = std::fs::read_to_string(path).ok()?;
        let mut words = text.split_whitespace().map(|word| word.parse().ok());
        let mut next = || words.next().flatten().map(Duration::from_nanos);
        Some(Self { processor: next()?, queued: next()? })
    }
}

/// The longest that a thread of a process group has waited for a processor; zero where the system
/// does not tell.
pub(super) fn queued_longest(leader: i32) -> Duration {
    let threads = super::processes::processor_times(leader).filter_map(|(process, _)| {
        let threads = std::fs::read_dir(format!("/proc/{process}/task")).ok()?.flatten();
        threads
            .filter_map(|one| Used::in_file(&one.path().join("schedstat")))
            .map(|it| it.queued)
            .max()
    });
    threads.max().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    fn used(processor: u64, queued: u64) -> Used {
        Used { processor: ms(processor), queued: ms(queued) }
    }

    #[test]
    fn a_start_takes_a_whole_job_until_one_was_measured() {
        assert_eq!(Starts::default().share(1), 1.0);
    }

    #[test]
    fn a_start_that_waits_takes_a_share_of_a_job() {
        let starts = Starts::default();
        starts.add(ms(300), used(20, 10), used(20, 10));
        assert!((starts.share(1) - 0.2).abs() < 1e-9, "{}", starts.share(1));
        assert!((starts.share(2) - 0.4).abs() < 1e-9, "{}", starts.share(2));
        assert_eq!(starts.share(9), 1.0);
        let total = starts.clone().total();
        let expected = StartsTotal { number: 0, measured: 1, took: ms(300), processor: ms(20) };
        assert_eq!(total, expected);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_first_starts_are_measured_and_some_later_ones() {
        let starts = Starts::default();
        let measured = (0..64).filter(|_| starts.next().is_some()).count();
        assert_eq!((measured, starts.total().number), (12, 64));
    }

    #[test]
    fn quick_and_busy_starts_take_a_whole_job() {
        for (took, router) in [(9, used(2, 0)), (300, used(295, 0)), (300, used(100, 195))] {
            let starts = Starts::default();
            starts.add(ms(took), router, used(0, 0));
            assert_eq!(starts.share(1), 1.0, "{took} {router:?}");
        }
    }

    #[test]
    fn the_latest_starts_decide() {
        let starts = Starts::default();
        starts.add(ms(300), used(0, 0), used(0, 0));
        for _ in 0..40 {
            starts.add(ms(300), used(300, 0), used(0, 0));
        }
        assert_eq!(starts.share(1), 1.0);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_group_counts_also_where_they_have_ended() {
        use std::io::Read as _;
        use std::os::unix::process::CommandExt as _;
        use std::process::{Command, Stdio};
        // One child has ended and was waited for, the other one is at work while it is looked at.
        let busy = "i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done";
        let script = format!("sh -c '{busy}'; sh -c '{busy}; echo; exec cat'; :");
        let mut shell = Command::new("sh");
        let shell = shell
            .process_group(0)
            .args(["-c", &script])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        let mut child = shell.spawn().unwrap();
        child.stdout.as_mut().unwrap().read_exact(&mut [0]).unwrap();
        let process = i32::try_from(child.id()).unwrap();
        let all = Used::of_group(process).unwrap().processor;
        let own = Used::in_file(Path::new(&format!("/proc/{process}/schedstat"))).unwrap();
        drop(child.wait_with_output());
        assert!(all >= own.processor + ms(20), "{all:?} of all, {own:?} of the shell alone");
        assert_eq!(Used::of_group(process), None);
    }
}
