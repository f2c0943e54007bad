//! Shortens a failing journey: plays shorter ones, several at a time, and says how often the
//! shortest one fails.
//!
//! A router may pick at random, so one run of a journey proves little. The original is repeated
//! first. If it failed each time, a shorter journey is taken if it fails six times of six. If it
//! did not, a shorter journey is taken if it fails once of six, until one fails each time: else a
//! failure that is seldom seen would never get shorter. A shorter journey that takes much longer
//! than the original does something else, and is given up.
//!
//! What a journey costs depends on the router above all, which is started for each: so the time for
//! shortening follows from the journeys that were played before.

use std::collections::HashSet;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::exploration::{Exploration, played};
use super::explored::{Limit, Played, Repeats, Scope};
use super::journey::Journey;
use super::shrink::shrunk;
use super::source::{Drawn, REQUIREMENT};
use conformance_suite::ledger::RequirementId;
use conformance_suite::stage::{Launch, Stop, StopReason, Waits};
use conformance_suite::verdict::{Outcome, Verdict};

/// How many journeys may be played to make one shorter, without the repetitions of the result.
const PLAYS: u32 = 800;
/// The least and the most time for that.
const LIMITS: (Duration, Duration) = (Duration::from_secs(30), Duration::from_secs(600));
/// No repetition of a result begins after this time.
const REPEAT_LIMIT: Duration = Duration::from_secs(15);
/// The part of the time that is left to the exploration: the rest is for repetitions of the result.
const PART: u32 = 2;
/// How long a shorter journey may take at least, and how much longer than the original.
const PATIENCE: (Duration, u32) = (Duration::from_secs(1), 3);
/// How often the original is repeated first.
const CONFIRMATIONS: u32 = 3;
/// How often a shorter journey is played. One that fails every second time passes for one that
/// always fails once in 64 times.
const TRIES: u32 = 6;
/// How often the result is repeated, to say how often it fails.
const REPEATS: u32 = 10;
/// A journey that takes longer spends the time with waiting: all repetitions run at once.
const WAITING: Duration = Duration::from_secs(1);

/// Shortens one failing journey.
pub(super) struct Shortener<'a> {
    plan: &'a Exploration<'a>,
    clock: Instant,
    /// How shorter journeys are launched: with shorter waits, until the limit.
    launch: Launch,
    title: String,
    sought: Sought,
    /// What stops the shorter journeys that run now, and when.
    running: Mutex<Vec<(Instant, Stop)>>,
    /// Shorter journeys that do not show it each time, as texts: other ones lead to them again.
    known: Mutex<HashSet<String>>,
    /// How long a shorter journey may take.
    patience: Duration,
    /// How long all of them together may take.
    pub(super) budget: Duration,
}

/// What one run of a shorter journey shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Shown {
    /// What is sought.
    Sought,
    /// Something else, or nothing.
    Else,
    /// The journey took too long.
    Late,
}

/// What a shorter journey must violate.
struct Sought {
    requirement: RequirementId,
    /// Whether a step found it. Other findings are about routers that died, users without a
    /// response, and unsolicited requests.
    by_step: bool,
}

/// The result of shortening.
pub(super) struct Shortened {
    pub(super) shortest: Played,
    pub(super) repeats: Repeats,
    pub(super) original_repeats: Option<Repeats>,
    pub(super) attempts: u64,
}

/// The time for shortening, where a journey takes `cost`, `jobs` of them run side by side, and the
/// time `left` remains.
fn budget(cost: Duration, jobs: usize, left: Option<Duration>) -> Duration {
    let jobs = u32::try_from(jobs.max(1)).unwrap_or(u32::MAX);
    let wanted = (cost * PLAYS / jobs).clamp(LIMITS.0, LIMITS.1);
    left.map_or(wanted, |left| wanted.min(left / PART))
}

impl Sought {
    fn is_in(&self, verdict: &Verdict) -> bool {
        // A router that did not start, or a journey that could not be judged, shows nothing.
        verdict.outcome == Outcome::Failed
            && verdict.start_failure.is_none()
            && verdict.findings.iter().any(|found| {
                found.requirement == self.requirement && found.step.is_some() == self.by_step
            })
    }
}

impl<'a> Shortener<'a> {
    pub(super) fn new(
        plan: &'a Exploration<'a>,
        clock: Instant,
        drawn: &Drawn,
        verdict: &Verdict,
        took: Duration,
        cost: Duration,
        requirement: &RequirementId,
    ) -> Self {
        let found = verdict.findings.iter().find(|found| found.requirement == *requirement);
        let by_step = found.is_some_and(|found| found.step.is_some());
        let waits = Waits { ready: plan.launch.waits.ready, ..Waits::impatient() };
        let launch = Launch { waits, stop: Stop::default(), ..plan.launch.clone() };
        let title = drawn.title();
        let sought = Sought { requirement: requirement.clone(), by_step };
        let patience = PATIENCE.0 + took * PATIENCE.1;
        let left = match plan.scope {
            Scope::Random(Limit::Time(limit)) => Some(limit.saturating_sub(clock.elapsed())),
            _ => None,
        };
        let budget = budget(cost.max(took), plan.jobs, left);
        Self {
            plan,
            clock,
            launch,
            title,
            sought,
            running: Mutex::default(),
            known: Mutex::default(),
            patience,
            budget,
        }
    }

    /// Returns the shortest journey found, and how often it fails.
    pub(super) fn shorten(&self, original: Played) -> Shortened {
        let attempts = AtomicUsize::new(0);
        let shortest = self.until_limit(|| {
            let confirmed = self.failures(&original.journey, CONFIRMATIONS);
            let mut is_certain = confirmed == CONFIRMATIONS;
            shrunk(original.journey.clone(), |candidates| {
                let first = self.first(candidates, |candidate| {
                    attempts.fetch_add(1, Ordering::Relaxed);
                    self.is_shown(candidate, is_certain)
                })?;
                is_certain = is_certain || self.failures(&candidates[first], TRIES) == TRIES;
                Some(first)
            })
        });
        let (repeats, played) = self.repeat(&shortest);
        let attempts = attempts.into_inner() as u64;
        match played {
            Some(shortest) => Shortened { shortest, repeats, original_repeats: None, attempts },
            // The shortened journey failed while it was sought, and never in the repetitions, so
            // the original journey is kept.
            None => {
                let (again, played) = if shortest == original.journey {
                    (repeats, None)
                } else {
                    self.repeat(&original.journey)
                };
                let all = Repeats { failed: again.failed + 1, of: again.of + 1 };
                let shortest = played.unwrap_or(original);
                Shortened { shortest, repeats: all, original_repeats: Some(all), attempts }
            }
        }
    }

    /// Lets `work` run; its journeys are stopped at the limit, and when the exploration is.
    fn until_limit<R>(&self, work: impl FnOnce() -> R) -> R {
        let until = Instant::now() + self.budget;
        let (ends, end) = mpsc::channel::<()>();
        thread::scope(|scope| {
            scope.spawn(move || {
                while let Err(RecvTimeoutError::Timeout) =
                    end.recv_timeout(Duration::from_millis(20))
                {
                    let now = Instant::now();
                    let is_over = now >= until || self.plan.launch.stop.reason().is_some();
                    if is_over {
                        self.launch.stop.request(StopReason::Interrupted);
                    }
                    let mut running = self.running();
                    running.retain(|(until, stop)| {
                        let is_late = is_over || now >= *until;
                        if is_late {
                            stop.request(StopReason::Interrupted);
                        }
                        !is_late
                    });
                }
            });
            let result = work();
            drop(ends);
            result
        })
    }

    /// How many journeys run at once.
    fn jobs(&self) -> usize {
        self.plan.jobs.max(1)
    }

    /// The first of some journeys that is accepted. Several are tried at once.
    fn first(
        &self,
        candidates: &[Journey],
        accepts: impl Fn(&Journey) -> bool + Sync,
    ) -> Option<usize> {
        let next = AtomicUsize::new(0);
        let first = AtomicUsize::new(usize::MAX);
        thread::scope(|scope| {
            for _ in 0..self.jobs().min(candidates.len()) {
                scope.spawn(|| {
                    loop {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        let is_late = index > first.load(Ordering::Relaxed);
                        let Some(candidate) = candidates.get(index).filter(|_| !is_late) else {
                            return;
                        };
                        if self.launch.stop.reason().is_some() {
                            return;
                        }
                        if accepts(candidate) {
                            first.fetch_min(index, Ordering::Relaxed);
                        }
                    }
                });
            }
        });
        Some(first.into_inner()).filter(|index| *index != usize::MAX)
    }

    fn known(&self) -> MutexGuard<'_, HashSet<String>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn running(&self) -> MutexGuard<'_, Vec<(Instant, Stop)>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a shorter journey shows what is sought.
    fn is_shown(&self, journey: &Journey, is_certain: bool) -> bool {
        if is_certain {
            // Most candidates show nothing. One that does is repeated side by side: with a slow
            // router, that is where the time goes.
            let text = journey.as_feature(&self.title, REQUIREMENT);
            if self.known().contains(&text) {
                return false;
            }
            let is_shown = self.play(journey) == Shown::Sought
                && self.failures(journey, TRIES - 1) == TRIES - 1;
            if !is_shown && self.launch.stop.reason().is_none() {
                self.known().insert(text);
            }
            is_shown
        } else {
            let tries = (0..TRIES).map(|_| self.play(journey));
            tries.take_while(|shown| *shown != Shown::Late).any(|shown| shown == Shown::Sought)
        }
    }

    /// Plays a shorter journey once.
    fn play(&self, journey: &Journey) -> Shown {
        if self.launch.stop.reason().is_some() {
            return Shown::Late;
        }
        // The requirement of the original, so that a user without a response is the same finding.
        let Ok(case) = journey.as_case(&self.title, REQUIREMENT) else {
            return Shown::Else;
        };
        let stop = Stop::default();
        self.running().push((Instant::now() + self.patience, stop.clone()));
        let launch = Launch { stop: stop.clone(), ..self.launch.clone() };
        let verdict = played(&case, &launch, self.plan.ledger);
        if stop.reason().is_some() {
            Shown::Late
        } else if self.sought.is_in(&verdict) {
            Shown::Sought
        } else {
            Shown::Else
        }
    }

    /// How often a journey shows what is sought when it is played `times` times.
    fn failures(&self, journey: &Journey, times: u32) -> u32 {
        let failed = AtomicUsize::new(0);
        let again: Vec<_> = (0..times).map(|_| journey.clone()).collect();
        self.first(&again, |journey| {
            let is_sought = self.play(journey) == Shown::Sought;
            failed.fetch_add(usize::from(is_sought), Ordering::Relaxed);
            false
        });
        failed.into_inner() as u32
    }

    /// Repeats a journey as a run of it would be, and counts; the last time that it failed.
    fn repeat(&self, journey: &Journey) -> (Repeats, Option<Played>) {
        let requirement = self.sought.requirement.to_string();
        let Ok(case) = journey.as_case(&self.title, &requirement) else {
            return (Repeats::default(), None);
        };
        let until = Instant::now() + REPEAT_LIMIT;
        let counted = Mutex::new((Repeats::default(), None));
        let once = || {
            let began = self.clock.elapsed();
            let verdict = played(&case, self.plan.launch, self.plan.ledger);
            let took = self.clock.elapsed().saturating_sub(began);
            if matches!(verdict.outcome, Outcome::NotRun(_)) {
                return Duration::ZERO;
            }
            let mut counted = counted.lock().unwrap_or_else(PoisonError::into_inner);
            counted.0.of += 1;
            if self.sought.is_in(&verdict) {
                counted.0.failed += 1;
                let (journey, case) = (journey.clone(), case.clone());
                counted.1 = Some(Played { journey, case, verdict, began, took });
            }
            took
        };
        let took = once();
        let jobs = match NonZeroUsize::new(self.jobs()) {
            Some(jobs) if jobs.get() > 1 && took > WAITING => REPEATS as usize,
            jobs => jobs.map_or(1, NonZeroUsize::get),
        };
        let next = AtomicUsize::new(1);
        thread::scope(|scope| {
            for _ in 0..jobs {
                scope.spawn(|| {
                    while next.fetch_add(1, Ordering::Relaxed) < REPEATS as usize
                        && Instant::now() < until
                    {
                        once();
                    }
                });
            }
        });
        counted.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slow_router_gets_more_time() {
        let [quick, node, workerd] = [60, 1_300, 4_000].map(Duration::from_millis);
        let [all, some] = [None, Some(Duration::from_secs(50))];
        assert_eq!(budget(quick, 8, all), Duration::from_secs(30));
        assert_eq!(budget(node, 8, all), Duration::from_secs(130));
        assert_eq!(budget(workerd, 8, all), Duration::from_secs(400));
        assert_eq!(budget(workerd, 1, all), Duration::from_secs(600));
        assert_eq!(budget(workerd, 1, some), Duration::from_secs(25));
    }
}
