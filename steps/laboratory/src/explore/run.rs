//! Runs journeys: draws them, lets the suite play them, counts what was met, and has the ones that
//! fail shortened.
//!
//! Workers draw and run journeys side by side; one thread takes their results in the order of the
//! journeys, so that nothing depends on which of them ends first.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use super::exploration::{Exploration, Ran, Violated, covers};
use super::explored::{Explored, Found, Pairs, Progress, Scope};
use super::shrink::{Repeats, Shortened, Shortener, budget};
use cell_fleet::Protocol;
use conformance_suite::engine::record::{
    EndedBy, ExplorationRecord, FoundRecord, NotJudgedRecord, milliseconds,
};
use conformance_suite::ledger::RequirementId;
use conformance_suite::stage::{Launch, Stop, StopReason};
use conformance_suite::verdict::{OutcomeWord, Verdict};

/// After how many journeys in a row whose router does not start exploration ends.
const START_FAILURES: usize = 5;
/// After how many journeys in which the suite is at fault exploration ends.
const SUITE_FAULTS: u64 = 20;
/// How often progress is told while nothing fails.
const TELL_EVERY: Duration = Duration::from_secs(1);
/// How often it is looked whether the time is over.
const LOOK_EVERY: Duration = Duration::from_millis(20);
/// How many journeys are named that do not follow a SHOULD.
const NAMED: usize = 10;

/// Explores. `tell` is called about once a second, and around each failure. A limit of time holds
/// for everything: what is being drawn, played or shortened then is stopped.
pub fn explore(plan: &Exploration<'_>, mut tell: impl FnMut(Progress)) -> Explored {
    let clock = Instant::now();
    let Scope::Time(limit) = plan.scope else {
        return explore_until(plan, clock, &plan.launch.stop, &mut tell);
    };
    let stop = Stop::default();
    let launch = Launch { stop: stop.clone(), ..plan.launch.clone() };
    let (ends, end) = mpsc::channel::<()>();
    thread::scope(|scope| {
        let heard = stop.clone();
        scope.spawn(move || {
            while let Err(RecvTimeoutError::Timeout) = end.recv_timeout(LOOK_EVERY) {
                let late = (clock.elapsed() >= limit).then_some(StopReason::Interrupted);
                if let Some(reason) = plan.launch.stop.reason().or(late) {
                    heard.request(reason);
                }
            }
        });
        let within = Exploration { launch: &launch, ..*plan };
        let explored = explore_until(&within, clock, &plan.launch.stop, &mut tell);
        drop(ends);
        explored
    })
}

/// Explores until the scope is done or the plan is stopped; `outer` tells why, where that is not
/// the time.
fn explore_until(
    plan: &Exploration<'_>,
    clock: Instant,
    outer: &Stop,
    tell: &mut dyn FnMut(Progress),
) -> Explored {
    // The number of the next journey, and the first number that nobody gets.
    let next = AtomicU64::new(0);
    let end = AtomicU64::new(plan.count().unwrap_or(u64::MAX));
    let mut run = Running::new(plan, clock, tell);
    thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        for _ in 0..plan.jobs.max(1) {
            let (sender, next, end) = (sender.clone(), &next, &end);
            scope.spawn(move || {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let is_over = plan.launch.stop.reason().is_some();
                    if is_over || number >= end.load(Ordering::Relaxed) {
                        return;
                    }
                    _ = sender.send((number, plan.play(number, clock)));
                }
            });
        }
        drop(sender);
        run.collect(&receiver, &end, outer);
        // The workers end after the journeys that they run now.
        end.store(0, Ordering::Relaxed);
    });
    run.explored.took = clock.elapsed();
    run.explored
}

/// An exploration under way: what is known so far.
struct Running<'a> {
    plan: &'a Exploration<'a>,
    clock: Instant,
    tell: &'a mut dyn FnMut(Progress),
    /// When it was told last how far it is.
    told: Instant,
    explored: Explored,
    /// The violated MUSTs that need no further shortening.
    known: BTreeSet<RequirementId>,
    /// The protocols that the router does not follow.
    refused: BTreeSet<Protocol>,
    /// The last journeys in a row whose router did not start.
    start_failures: usize,
    /// Whether the first failure was found, and nothing more is asked for.
    is_done: bool,
    /// Those whose router ended early or missed its limit: violations, unless a whole row does.
    missed: Vec<Ran>,
}

impl<'a> Running<'a> {
    fn new(plan: &'a Exploration<'a>, clock: Instant, tell: &'a mut dyn FnMut(Progress)) -> Self {
        let explored = Explored {
            began: SystemTime::now(),
            counted: ExplorationRecord {
                journeys: plan.protocols.iter().map(|protocol| (*protocol, 0)).collect(),
                planned: plan.count(),
                left_out: plan.left_out.to_vec(),
                ..ExplorationRecord::default()
            },
            pairs: Pairs::default(),
            found: Vec::new(),
            ended_early: None,
            played: Duration::ZERO,
            took: Duration::ZERO,
            shortening: Duration::ZERO,
        };
        Self {
            plan,
            clock,
            tell,
            told: clock,
            explored,
            known: BTreeSet::new(),
            refused: BTreeSet::new(),
            start_failures: 0,
            is_done: false,
            missed: Vec::new(),
        }
    }

    fn tell(&mut self, shortening: bool) {
        self.told = Instant::now();
        (self.tell)(Progress {
            journeys: self.explored.total(),
            planned: self.explored.counted.planned,
            pairs: self.explored.pairs.met(),
            failures: self.explored.found.len(),
            shortening,
            elapsed: self.clock.elapsed(),
        });
    }

    /// Takes the results in the order of the journeys, until all have come or one of them ends the
    /// exploration.
    fn collect(&mut self, results: &Receiver<(u64, Ran)>, end: &AtomicU64, outer: &Stop) {
        let mut early: BTreeMap<u64, Ran> = BTreeMap::new();
        let mut next = 0;
        'running: loop {
            match results.recv_timeout(TELL_EVERY) {
                Ok((number, ran)) => _ = early.insert(number, ran),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            while let Some(ran) = early.remove(&next) {
                next += 1;
                self.explored.pairs.add(&ran.met);
                let violated = self.plan.violated(ran.played.protocol(), &ran.played.verdict);
                let is_missed = ran.played.verdict.start_failure.is_some();
                if !violated.musts.is_empty() && !is_missed && !self.plan.keep_going {
                    // Shortening gets the machine to itself. What a missed start means, the next
                    // journeys tell.
                    end.fetch_min(next, Ordering::Relaxed);
                }
                self.take(ran);
                if self.is_done {
                    return;
                }
                if self.explored.ended_early.is_some() {
                    // What runs now may violate something all the same.
                    end.store(0, Ordering::Relaxed);
                    early.extend(results);
                    break 'running;
                }
            }
            if self.told.elapsed() >= TELL_EVERY {
                self.tell(false);
            }
        }
        // A stop leaves gaps: journeys that were drawn and did not run.
        early.into_values().for_each(|ran| self.take(ran));
        self.take_missed();
        if let Some(reason) = outer.reason() {
            self.end(reason.into(), reason.to_string());
        }
        self.tell(false);
    }

    fn end(&mut self, by: EndedBy, why: String) {
        self.explored.ended_early.get_or_insert((by, why));
    }

    fn take(&mut self, ran: Ran) {
        if ran.skipped {
            self.explored.counted.skipped += 1;
            return;
        }
        let verdict = &ran.played.verdict;
        if verdict.start_failure.is_some() && verdict.outcome.word == OutcomeWord::Failed {
            self.missed.push(ran);
            if self.missed.len() >= START_FAILURES {
                let missed = std::mem::take(&mut self.missed);
                missed.iter().for_each(|ran| self.trouble(ran, OutcomeWord::CouldNotRun));
            }
            return;
        }
        if let Some(cause) = cause(verdict) {
            self.trouble(&ran, cause);
            return;
        }
        if verdict.outcome.word == OutcomeWord::NotRun {
            return;
        }
        self.start_failures = 0;
        self.take_missed();
        self.count(&ran);
    }

    /// Takes starts that were missed where others are not, as `run` does: they are violations.
    /// Where a whole row was missed, those next to it are no more than that.
    fn take_missed(&mut self) {
        for ran in std::mem::take(&mut self.missed) {
            if matches!(self.explored.ended_early, Some((EndedBy::StartFailures, _))) {
                self.trouble(&ran, OutcomeWord::CouldNotRun);
            } else {
                self.count(&ran);
            }
        }
    }

    fn count(&mut self, ran: &Ran) {
        let protocol = ran.played.protocol();
        self.explored.played += ran.played.took;
        let counted = &mut self.explored.counted;
        *counted.journeys.entry(protocol).or_default() += 1;
        let Violated { musts, others, left_out } =
            self.plan.violated(protocol, &ran.played.verdict);
        for id in others {
            *counted.warnings.entry(id.clone()).or_default() += 1;
            let first = counted.warned.entry(id).or_default();
            if first.len() < NAMED {
                first.push(format!("{} {}", protocol.as_str(), ran.seed));
            }
        }
        for one in &mut counted.left_out {
            one.journeys += u64::from(left_out.iter().any(|id| covers(one, id, protocol)));
        }
        for Found { record, .. } in &mut self.explored.found {
            record.times += u64::from(musts.contains(&record.requirement));
        }
        let ended = !self.plan.keep_going && !self.explored.found.is_empty();
        for requirement in musts {
            if !ended && !self.known.contains(&requirement) {
                self.tell(true);
                self.shorten(ran, requirement);
                self.tell(false);
            }
            if !self.plan.keep_going {
                break;
            }
        }
        self.is_done = !self.plan.keep_going && !self.explored.found.is_empty();
    }

    fn shorten(&mut self, ran: &Ran, requirement: RequirementId) {
        let began = Instant::now();
        let original = ran.played.clone();
        let cost = self.explored.cost().max(original.took);
        let budget = budget(self.plan, self.clock, cost);
        let shortened = if ran.played.verdict.start_failure.is_some() {
            // The journey has no part in it.
            let (shortest, repeats) = (original.clone(), Repeats { failed: 1, of: 1 });
            Shortened { shortest, repeats, is_original: true, attempts: 0 }
        } else {
            let (seed, requirement) = (ran.seed, requirement.clone());
            Shortener::new(self.plan, self.clock, seed, &original, requirement, budget)
                .shorten(original.clone())
        };
        let Shortened { shortest, repeats, is_original, attempts } = shortened;
        let also = self.plan.violated(ran.played.protocol(), &shortest.verdict).musts;
        self.known.extend(also.iter().cloned());
        self.known.insert(requirement.clone());
        let shortened = !is_original && shortest.journey != original.journey;
        self.explored.shortening += began.elapsed();
        let record = FoundRecord {
            scenario: String::new(),
            also: also.into_iter().filter(|id| *id != requirement).collect(),
            requirement,
            seed: ran.seed,
            after: self.explored.total(),
            times: 1,
            repeated: repeats.of,
            failed: repeats.failed,
            shortened,
            attempts,
            budget_ms: milliseconds(budget),
            took_ms: milliseconds(began.elapsed()),
            before: shortened.then(|| original.feature(ran.seed)),
            saved: None,
        };
        self.explored.found.push(Found { shortest, record });
    }

    /// Counts a journey that could not be judged: by what hindered it, and what a router refuses by
    /// its reason too.
    fn trouble(&mut self, ran: &Ran, outcome: OutcomeWord) {
        let verdict = &ran.played.verdict;
        let reason = verdict.outcome.reason.as_deref();
        let why = verdict.start_error().or(reason).unwrap_or_default().to_owned();
        let is_refused = outcome == OutcomeWord::NotApplicable;
        // Reported once for each protocol: further journeys would say the same.
        if is_refused && !self.refused.insert(ran.played.protocol()) {
            return;
        }
        let not_judged = &mut self.explored.counted.not_judged;
        // Other reasons have ports and times.
        let is_known = |one: &&mut NotJudgedRecord| {
            one.outcome == outcome && (!is_refused || one.reason == why)
        };
        let journeys = match not_judged.iter_mut().find(is_known) {
            Some(known) => {
                known.journeys += 1;
                known.journeys
            }
            None => {
                let (reason, first) = (why.clone(), ran.seed.to_string());
                not_judged.push(NotJudgedRecord { outcome, reason, first, journeys: 1 });
                1
            }
        };
        match outcome {
            OutcomeWord::NotApplicable => {
                if self.plan.protocols.iter().all(|protocol| self.refused.contains(protocol)) {
                    self.end(EndedBy::StartFailures, why);
                }
            }
            OutcomeWord::SuiteError => {
                if journeys >= SUITE_FAULTS {
                    let why = format!("{SUITE_FAULTS} journeys could not be judged; last: {why}");
                    self.end(EndedBy::Failures, why);
                }
            }
            // The router is not to blame, and the next journey may find the machine quieter.
            _ if verdict.is_busy() => {}
            _ => {
                self.start_failures += 1;
                if self.start_failures >= START_FAILURES {
                    let times = self.start_failures;
                    let why = format!("the router did not start {times} times in a row; {why}");
                    self.end(EndedBy::StartFailures, why);
                }
            }
        }
    }
}

/// What hindered a journey; `None` if it was judged, or did not run.
fn cause(verdict: &Verdict) -> Option<OutcomeWord> {
    match verdict.outcome.word {
        // Where no router starts, that says nothing about a journey.
        _ if verdict.start_failure.is_some() => Some(OutcomeWord::CouldNotRun),
        OutcomeWord::CouldNotRun | OutcomeWord::NotAsked => Some(OutcomeWord::CouldNotRun),
        word @ (OutcomeWord::NotApplicable | OutcomeWord::SuiteError) => Some(word),
        OutcomeWord::Passed
        | OutcomeWord::Warned
        | OutcomeWord::Failed
        | OutcomeWord::KnownFailure
        | OutcomeWord::NotRun => None,
    }
}
