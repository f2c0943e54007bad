//! Makes a failing journey as short as it can be, and says how often the shortest one fails.
//!
//! A router may pick at random, so one run of a journey proves little. The original is repeated
//! first. If it failed each time, a shorter journey is taken if it fails six times of six. If it
//! did not, a shorter journey is taken if it fails once of six, until one fails each time: else a
//! failure that is seldom seen would never get shorter.
//!
//! What a journey costs depends on the router above all, which is started for each: so the time for
//! shortening follows from the journeys that were played before.

mod shorter;

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::exploration::{Exploration, REQUIREMENT, played, side_by_side, title};
use super::explored::{Played, Scope};
use super::journey::Journey;
use conformance_suite::ledger::RequirementId;
use conformance_suite::stage::{Launch, Waits};
use conformance_suite::verdict::{OutcomeWord, Verdict};
use shorter::shorter;

/// How many journeys may be played to make one shorter, without the repetitions of the result.
const PLAYS: u32 = 800;
/// The least and the most time for that.
const LIMITS: (Duration, Duration) = (Duration::from_secs(30), Duration::from_secs(600));
/// No repetition of a result begins after this time.
const REPEAT_LIMIT: Duration = Duration::from_secs(15);
/// The part of the time that is left to the exploration: the rest is for repetitions of the result.
const PART: u32 = 2;
/// How often the original is repeated first.
const CONFIRMATIONS: usize = 3;
/// How often a shorter journey is played. One that fails every second time passes for one that
/// always fails once in 64 times.
const TRIES: usize = 6;
/// How often the result is repeated, to say how often it fails.
const REPEATS: usize = 10;

pub(super) struct Shortener<'a> {
    plan: &'a Exploration<'a>,
    clock: Instant,
    /// How shorter journeys are launched: nobody waits for much longer than the original took.
    launch: Launch,
    title: String,
    /// What a shorter journey must violate.
    requirement: RequirementId,
    /// Whether a step must find it. Other findings are about routers that died, users without a
    /// response, and unsolicited requests.
    by_step: bool,
    /// When the time for shorter journeys is over.
    until: Instant,
    attempts: AtomicU64,
}

pub(super) struct Shortened {
    pub(super) shortest: Played,
    pub(super) repeats: Repeats,
    /// Whether it is the original, since no shorter journey failed when it was repeated; then the
    /// first time counts as well.
    pub(super) is_original: bool,
    pub(super) attempts: u64,
}

/// How often a journey failed.
#[derive(Clone, Copy, Default)]
pub(super) struct Repeats {
    /// How many of the runs violated the requirement.
    pub(super) failed: u32,
    pub(super) of: u32,
}

/// The time for shortening, where a journey takes `cost` on average.
pub(super) fn budget(plan: &Exploration<'_>, clock: Instant, cost: Duration) -> Duration {
    let jobs = u32::try_from(plan.jobs.max(1)).unwrap_or(u32::MAX);
    let wanted = (cost * PLAYS / jobs).clamp(LIMITS.0, LIMITS.1);
    match plan.scope {
        Scope::Time(limit) => wanted.min(limit.saturating_sub(clock.elapsed()) / PART),
        _ => wanted,
    }
}

/// Returns the shortest journey found. `first` returns the first of some shorter journeys that
/// fails; `None` if none does, or the time is up.
pub(super) fn shrunk(
    journey: Journey,
    mut first: impl FnMut(Vec<Journey>) -> Option<Journey>,
) -> Journey {
    let mut best = journey;
    loop {
        let before = best.clone();
        for candidates in shorter() {
            // Each candidate is smaller, so this ends.
            loop {
                let mut some = candidates(&best);
                some.retain(|one| *one != best && one.is_sound());
                let Some(found) = first(some) else { break };
                best = found;
            }
        }
        if best == before {
            return best;
        }
    }
}

impl<'a> Shortener<'a> {
    pub(super) fn new(
        plan: &'a Exploration<'a>,
        clock: Instant,
        seed: u64,
        original: &Played,
        requirement: RequirementId,
        budget: Duration,
    ) -> Self {
        let found = original.verdict.findings.iter().find(|it| it.requirement == requirement);
        let by_step = found.is_some_and(|found| found.step_index.is_some());
        let patience = Duration::from_secs(1) + original.took * 3;
        let waits = Waits::impatient();
        let (response, journal) = (waits.response.min(patience), waits.journal.min(patience));
        let waits = Waits { ready: plan.launch.waits.ready, response, journal, ..waits };
        let launch = Launch { waits, ..plan.launch.clone() };
        let (title, until) = (title(seed), Instant::now() + budget);
        let attempts = AtomicU64::default();
        Self { plan, clock, launch, title, requirement, by_step, until, attempts }
    }

    /// Returns the shortest journey found, and how often it fails.
    pub(super) fn shorten(self, original: Played) -> Shortened {
        let mut is_certain = self.failures(&original.journey, CONFIRMATIONS) == CONFIRMATIONS;
        // Those that do not fail each time: other journeys lead to them again.
        let mut known: Vec<Journey> = Vec::new();
        let shortest = shrunk(original.journey.clone(), |mut candidates| {
            candidates.retain(|one| !known.contains(one));
            let first = self.first(&candidates, |journey| self.is_shown(journey, is_certain));
            let Some(index) = first else {
                known.extend(candidates);
                return None;
            };
            let found = candidates.swap_remove(index);
            is_certain = is_certain || self.failures(&found, TRIES) == TRIES;
            Some(found)
        });
        let (repeats, played) = self.repeat(&shortest);
        let attempts = self.attempts.load(Ordering::Relaxed);
        if let Some(shortest) = played {
            return Shortened { shortest, repeats, is_original: false, attempts };
        }
        // The shortened journey failed while it was sought, and never in the repetitions, so the
        // original journey is kept.
        let (again, played) = match shortest == original.journey {
            true => (repeats, None),
            false => self.repeat(&original.journey),
        };
        let all = Repeats { failed: again.failed + 1, of: again.of + 1 };
        let shortest = played.unwrap_or(original);
        Shortened { shortest, repeats: all, is_original: true, attempts }
    }

    /// The first of some that is accepted. Several are tried at once.
    fn first<T: Sync>(&self, all: &[T], accepts: impl Fn(&T) -> bool + Sync) -> Option<usize> {
        let (next, first) = (AtomicUsize::new(0), AtomicUsize::new(usize::MAX));
        side_by_side(self.plan.jobs.min(all.len()), || {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let is_late = index > first.load(Ordering::Relaxed);
            let Some(one) = all.get(index).filter(|_| !is_late) else { return false };
            if accepts(one) {
                first.fetch_min(index, Ordering::Relaxed);
            }
            true
        });
        Some(first.into_inner()).filter(|index| *index != usize::MAX)
    }

    /// Whether a shorter journey shows what is sought.
    fn is_shown(&self, journey: &Journey, is_certain: bool) -> bool {
        self.attempts.fetch_add(1, Ordering::Relaxed);
        if is_certain {
            // Most candidates show nothing. One that does is repeated side by side: with a slow
            // router, that is where the time goes.
            self.play(journey) && self.failures(journey, TRIES - 1) == TRIES - 1
        } else {
            (0..TRIES).any(|_| self.play(journey))
        }
    }

    /// Plays a shorter journey once; whether it shows what is sought.
    fn play(&self, journey: &Journey) -> bool {
        // The requirement of the original, so that a user without a response is the same finding.
        Instant::now() < self.until
            && journey
                .as_case(&self.title, REQUIREMENT)
                .is_ok_and(|case| self.shows(&played(&case, &self.launch)))
    }

    /// Whether a verdict shows what is sought. A router that did not start, or a journey that could
    /// not be judged, shows nothing.
    fn shows(&self, verdict: &Verdict) -> bool {
        verdict.outcome.word == OutcomeWord::Failed
            && verdict.start_failure.is_none()
            && verdict.findings.iter().any(|found| {
                found.requirement == self.requirement && found.step_index.is_some() == self.by_step
            })
    }

    /// How often a journey shows what is sought when it is played `times` times.
    fn failures(&self, journey: &Journey, times: usize) -> usize {
        let failed = AtomicUsize::new(0);
        self.first(&vec![(); times], |()| {
            failed.fetch_add(usize::from(self.play(journey)), Ordering::Relaxed);
            false
        });
        failed.into_inner()
    }

    /// Repeats a journey as a run of it would be, and counts; the last time that it failed.
    fn repeat(&self, journey: &Journey) -> (Repeats, Option<Played>) {
        let Ok(case) = journey.as_case(&self.title, self.requirement.as_str()) else {
            return (Repeats::default(), None);
        };
        let until = Instant::now() + REPEAT_LIMIT;
        let counted = Mutex::new((Repeats::default(), None));
        self.first(&[(); REPEATS], |()| {
            if Instant::now() >= until {
                return false;
            }
            let began = self.clock.elapsed();
            let verdict = played(&case, self.plan.launch);
            let took = self.clock.elapsed().saturating_sub(began);
            if verdict.outcome.word != OutcomeWord::NotRun {
                let mut counted = counted.lock().unwrap_or_else(PoisonError::into_inner);
                counted.0.of += 1;
                if self.shows(&verdict) {
                    counted.0.failed += 1;
                    let (journey, requirement) = (journey.clone(), self.requirement.to_string());
                    counted.1 = Some(Played { journey, requirement, verdict, began, took });
                }
            }
            false
        });
        counted.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use cell_fleet::Protocol;

    use super::shorter::target_of;
    use super::*;
    use crate::explore::generate::journey;
    use conformance_suite::action::{Action, WorldAction};

    /// Shortens a journey for which this holds, and counts the attempts.
    fn attempts(journey: Journey, fails: impl Fn(&Journey) -> bool) -> (Journey, usize) {
        assert!(fails(&journey));
        let mut attempts = 0;
        let shortest = shrunk(journey, |candidates| {
            candidates.into_iter().find(|candidate| {
                attempts += 1;
                assert!(candidate.is_sound(), "{candidate:?}");
                fails(candidate)
            })
        });
        (shortest, attempts)
    }

    fn moves(journey: &Journey) -> usize {
        let is_move = |action: &&Action| {
            matches!(action, Action::World(WorldAction::MoveOrganization { .. }))
        };
        journey.actions.iter().filter(is_move).count()
    }

    fn drawn() -> impl Iterator<Item = Journey> {
        (0..400).map(|seed| journey(Protocol::ALL[seed as usize % 2], seed))
    }

    #[test]
    fn what_does_not_matter_goes() {
        let mut count = 0;
        for journey in drawn().filter(|journey| moves(journey) > 0) {
            let (shortest, attempts) = attempts(journey, |journey| moves(journey) > 0);
            assert_eq!(shortest.actions.len(), 1, "{shortest:?}");
            let world = &shortest.world;
            assert_eq!((world.cells.len(), world.routers.len()), (1, 1), "{world:?}");
            assert!(world.places.is_empty() && world.signed_in.is_empty(), "{world:?}");
            assert!(attempts < 400, "{attempts}");
            count += 1;
        }
        assert!(count > 20, "{count}");
    }

    #[test]
    fn places_that_matter_get_plain_names() {
        let target = |journey: &Journey| {
            journey.actions.clone().iter_mut().filter_map(target_of).map(|it| it.clone()).find(
                |target| {
                    let places = &journey.world.places;
                    places.iter().any(|place| *target == format!("{}/-/issues", place.path))
                },
            )
        };
        let mut count = 0;
        for journey in drawn().filter(|journey| target(journey).is_some()) {
            let (shortest, _) = attempts(journey, |journey| target(journey).is_some());
            // A project needs its group.
            let depth = shortest.world.places.iter().map(|place| place.path.matches('/').count());
            let plain = format!("{}/-/issues", "/a".repeat(depth.max().unwrap_or(1)));
            assert_eq!(target(&shortest).unwrap().len(), plain.len(), "{shortest:?}");
            assert_eq!(shortest.actions.len(), 1, "{shortest:?}");
            count += 1;
        }
        assert!(count > 20, "{count}");
    }
}
