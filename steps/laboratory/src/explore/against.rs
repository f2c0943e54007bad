//! The same journeys through two routers: where users or cells see something that differs, although
//! the model permits both.
//!
//! What chance decides differs between two plays of one router too. So a journey with a difference is
//! played again by both, and what counts is what no play of one router has in common with a play of the
//! other.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use cell_fleet::Protocol;

use super::exploration::{Exploration, REQUIREMENT, played, title};
use super::explored::Scope;
use super::generate::journey;
use super::journey::Journey;
use super::shrink::shrunk;
use conformance_suite::action::{Action, Kind};
use conformance_suite::engine::record::OwnFeature;
use conformance_suite::engine::{ExitCode, Subject, counted};
use conformance_suite::judge::{At, Seen, seen};
use conformance_suite::ledger::RequirementId;
use conformance_suite::report::{Screen, sentence};
use conformance_suite::stage::{Launch, readable_text};
use conformance_suite::trace::Phase;
use conformance_suite::verdict::{Outcome, OutcomeWord, Verdict};

/// How often each router plays a journey with a difference that is new. A choice that is made by
/// chance looks like a difference in at most one of 32,000 journeys.
const PLAYS: usize = 8;
/// How often they do for each journey that could be a shorter example.
const PLAYS_OF_SHORTER: usize = 3;
/// The time in which the example of a difference is made shorter.
const SHORTEN: Duration = Duration::from_secs(10);
/// After how many journeys that could not be played all ends.
const MOST_TROUBLES: usize = 20;

/// An exploration of one router, and the other one.
#[derive(Debug)]
pub struct Against<'a> {
    pub plan: &'a Exploration<'a>,
    pub other: &'a Subject,
    /// How the other router is launched.
    pub launch: &'a Launch,
}

/// What differs: what it is about, the kind of the request, and what each router has.
type Kinds = (String, String, [String; 2]);

/// What the journeys showed.
#[derive(Debug, Default)]
pub struct Compared {
    /// Journeys that both played, and those that one of them cannot play by what it claims.
    journeys: u64,
    skipped: u64,
    /// Journeys in which a router violates a MUST, or what is left out: with the first of them. What
    /// differs there is no freedom.
    violated: BTreeMap<(String, RequirementId, bool), (u64, String)>,
    /// Why journeys have no verdict.
    troubles: Vec<(OutcomeWord, String)>,
    /// The differences, and whether all ended before its time.
    differences: BTreeMap<Kinds, Difference>,
    is_cut: bool,
}

/// One kind of difference.
#[derive(Clone, Debug)]
struct Difference {
    journeys: u64,
    /// The shortest journey with it so far, and its seed.
    example: Journey,
    seed: u64,
    /// Requirements above which a router was warned in the same journey.
    warned: BTreeSet<RequirementId>,
}

/// What came of one journey.
enum Came {
    Nothing,
    Skipped,
    Trouble(OutcomeWord, String),
    Violated(Vec<(String, RequirementId, bool)>),
    Differs(BTreeSet<Kinds>, BTreeSet<RequirementId>),
}

impl Against<'_> {
    /// Plays the journeys.
    pub fn compare(&self) -> Compared {
        let (next, clock) = (AtomicU64::new(0), Instant::now());
        let end = self.plan.count().unwrap_or(u64::MAX);
        let compared = Mutex::new(Compared::default());
        let lock = || compared.lock().unwrap_or_else(PoisonError::into_inner);
        self.side_by_side(|| {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let is_late = matches!(self.plan.scope, Scope::Time(limit) if clock.elapsed() >= limit);
            let is_hopeless = lock().troubles.len() >= MOST_TROUBLES;
            if is_late || is_hopeless || self.is_stopped() || number >= end {
                lock().is_cut |= is_hopeless || self.is_stopped();
                return false;
            }
            let (protocol, seed) = self.plan.drawn(number);
            let drawn = journey(protocol, seed);
            let known = lock().differences.keys().cloned().collect();
            let came = self.play(&drawn, seed, PLAYS, &known);
            lock().add(came, &drawn, seed);
            true
        });
        let compared = compared.into_inner().unwrap_or_else(PoisonError::into_inner);
        self.shorten(compared)
    }

    fn is_stopped(&self) -> bool {
        self.plan.launch.stop.reason().is_some()
    }

    /// Does this on all jobs until there is nothing to do.
    fn side_by_side(&self, work: impl Fn() -> bool + Sync) {
        thread::scope(|scope| {
            for _ in 0..self.plan.jobs.max(1) {
                scope.spawn(|| while work() {});
            }
        });
    }

    /// Plays a journey through both, up to so many times where they differ in what is not known.
    fn play(&self, journey: &Journey, seed: u64, plays: usize, known: &BTreeSet<Kinds>) -> Came {
        let case = match journey.as_case(&title(seed), REQUIREMENT) {
            Ok(case) => case,
            Err(why) => return Came::Trouble(OutcomeWord::SuiteError, why),
        };
        let sides = [(self.plan.subject, self.plan.launch), (self.other, self.launch)];
        if sides.iter().any(|(subject, _)| subject.skips(&case).is_some()) {
            return Came::Skipped;
        }
        let mut all: [Vec<Seen>; 2] = Default::default();
        let mut warned = BTreeSet::new();
        loop {
            let mut violated = Vec::new();
            for ((subject, launch), all) in sides.iter().zip(&mut all) {
                let verdict = played(&case, launch);
                let Some(trace) = verdict.trace.as_ref().filter(|_| is_judged(&verdict)) else {
                    return trouble(&verdict);
                };
                let found = self.plan.violated(journey.world.protocol, &verdict);
                let name = &subject.described.name;
                let as_left_out = [(found.musts, false), (found.left_out, true)];
                violated.extend(as_left_out.into_iter().flat_map(|(ids, is_left_out)| {
                    ids.into_iter().map(move |id| (name.clone(), id, is_left_out))
                }));
                warned.extend(found.others);
                all.push(seen(trace));
            }
            if !violated.is_empty() {
                return Came::Violated(violated);
            }
            let kinds = differing(&all, &journey.actions);
            if kinds.is_empty() {
                return Came::Nothing;
            }
            if all[0].len() >= plays || kinds.is_subset(known) {
                return Came::Differs(kinds, warned);
            }
        }
    }

    /// Makes the example of each difference as short as the time allows.
    fn shorten(&self, mut compared: Compared) -> Compared {
        let waiting = Mutex::new(compared.differences.clone().into_iter());
        let done = Mutex::new(BTreeMap::new());
        self.side_by_side(|| {
            let next = waiting.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some((kind, mut difference)) = next else { return false };
            let until = Instant::now() + SHORTEN;
            let has_it = |shorter: &Journey| {
                let came = || self.play(shorter, difference.seed, PLAYS_OF_SHORTER, &[].into());
                let is_late = Instant::now() >= until || self.is_stopped();
                !is_late && matches!(came(), Came::Differs(kinds, _) if kinds.contains(&kind))
            };
            let first = |some: Vec<Journey>| some.into_iter().find(has_it);
            difference.example = shrunk(difference.example, first);
            done.lock().unwrap_or_else(PoisonError::into_inner).insert(kind, difference);
            true
        });
        compared.differences = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        compared
    }
}

fn is_judged(verdict: &Verdict) -> bool {
    let is_judged = matches!(verdict.outcome, Outcome::Passed | Outcome::Warned | Outcome::Failed);
    is_judged && verdict.start_failure.is_none()
}

/// What hindered a journey. One that a signal ended is none.
fn trouble(verdict: &Verdict) -> Came {
    let word = verdict.outcome.word();
    match &verdict.outcome {
        Outcome::NotRun(_) => Came::Nothing,
        Outcome::NotApplicable(_) => Came::Skipped,
        Outcome::SuiteError(why) | Outcome::CouldNotRun(why) | Outcome::NotAsked(why) => {
            Came::Trouble(word, why.clone())
        }
        _ => {
            let why = verdict.start_error().unwrap_or("there is no trace");
            Came::Trouble(OutcomeWord::CouldNotRun, why.to_owned())
        }
    }
}

/// What no play of one router has in common with a play of the other.
fn differing(all: &[Vec<Seen>; 2], actions: &[Action]) -> BTreeSet<Kinds> {
    let things: BTreeSet<_> = all.iter().flatten().flat_map(Seen::keys).collect();
    let of_side = |plays: &Vec<Seen>, thing: &(At, String)| -> BTreeSet<String> {
        let how = |seen: &Seen| seen.get(thing).map_or("as it was sent", |how| how).to_owned();
        plays.iter().map(how).collect()
    };
    let differs = |thing: &(At, String)| {
        let [one, other] = [of_side(&all[0], thing), of_side(&all[1], thing)];
        let words = |side: BTreeSet<String>| Vec::from_iter(side).join(" or ");
        let ((phase, ..), what) = thing;
        one.is_disjoint(&other)
            .then(|| (what.clone(), kind(actions, *phase), [words(one), words(other)]))
    };
    things.into_iter().filter_map(differs).collect()
}

/// The kind of request that was sent in a phase; of bytes that were written by hand, with the first
/// line that not all of them have.
fn kind(actions: &[Action], phase: Phase) -> String {
    let action = match phase {
        Phase::Step(step) => actions.get(step),
        Phase::Setup => None,
    };
    let word: &str = action.and_then(Kind::of).map_or("other request", Into::into);
    let is_usual = |line: &str| {
        line.is_empty()
            || ["GET /", "Host: ", "{host and id}", "X-Conformance-Id: "]
                .iter()
                .any(|usual| line.starts_with(usual) && !line.contains("  "))
    };
    match action {
        Some(Action::RawBytes { text, .. }) => {
            let own = text.lines().find(|line| !is_usual(line)).unwrap_or_default();
            let own = own.split_once(" /").map_or(own, |(method, _)| method);
            format!("{word} `{}`", own.chars().take(40).collect::<String>())
        }
        _ => word.to_owned(),
    }
}

impl Compared {
    fn add(&mut self, came: Came, journey: &Journey, seed: u64) {
        self.journeys += u64::from(!matches!(came, Came::Skipped | Came::Trouble(..)));
        match came {
            Came::Nothing => {}
            Came::Skipped => self.skipped += 1,
            Came::Trouble(word, why) => self.troubles.push((word, why)),
            Came::Violated(all) => {
                for one in all {
                    let first = replay(journey.world.protocol, seed);
                    self.violated.entry(one).or_insert((0, first)).0 += 1;
                }
            }
            Came::Differs(kinds, warned) => {
                for kind in kinds {
                    let new = Difference {
                        journeys: 0,
                        example: journey.clone(),
                        seed,
                        warned: BTreeSet::new(),
                    };
                    let known = self.differences.entry(kind).or_insert_with(|| new.clone());
                    if journey.actions.len() < known.example.actions.len() {
                        (known.example, known.seed) = (new.example, seed);
                    }
                    known.journeys += 1;
                    known.warned.extend(warned.iter().cloned());
                }
            }
        }
    }

    /// Differences are no failures; violated MUSTs are.
    pub fn exit_code(&self) -> ExitCode {
        let is_failed = self.violated.keys().any(|(_, _, is_left_out)| !is_left_out);
        if is_failed {
            ExitCode::Failure
        } else if self.troubles.iter().any(|(word, _)| *word == OutcomeWord::SuiteError) {
            ExitCode::SuiteFault
        } else if self.journeys == 0 || self.is_cut {
            ExitCode::Incomplete
        } else {
            ExitCode::Success
        }
    }

    /// The examples as feature files.
    pub fn features(&self) -> Vec<OwnFeature> {
        let feature = |(number, difference): (usize, &Difference)| {
            let path = format!("difference-{}.feature", number + 1);
            OwnFeature { file: path.clone(), path, text: difference.feature() }
        };
        self.differences.values().enumerate().map(feature).collect()
    }

    /// What was compared, for people; `names` are those of the routers.
    pub fn text(&self, names: [&str; 2], screen: &Screen) -> String {
        let whole = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        let mut text = String::new();
        let mut say = |line: &str| text += &format!("{}\n", sentence(line, screen));
        let journeys = counted(whole(self.journeys), "journey");
        say(&format!("{journeys} through both routers; {} not, by what they claim", self.skipped));
        for ((name, id, is_left_out), (count, first)) in &self.violated {
            let known = if *is_left_out { ", which is left out" } else { "" };
            let count = counted(whole(*count), "journey");
            say(&format!(
                "{name} violates {id}{known} in {count}, which are not compared; {first}"
            ));
        }
        if let Some((word, why)) = self.troubles.first() {
            let count = counted(self.troubles.len(), "journey");
            say(&format!("no verdict on {count}; the first: {word}: {why}"));
        }
        say(
            "left out of what differs: all that the contract leaves to the router (case, order and \
             joining of fields, Via, Server, Date, forwarded fields, Host, framing, pooling, what a \
             304 lacks), bounces, the cell that a pick draws, the texts of refusals, numbers in \
             added values, and what one router did both ways when it played a journey again",
        );
        for (number, ((what, kind, sides), difference)) in self.differences.iter().enumerate() {
            let count = counted(whole(difference.journeys), "journey");
            say(&format!("\nDIFFERENCE {}: {what}, at: {kind}; in {count}", number + 1));
            for (name, how) in names.iter().zip(sides) {
                say(&format!("  {name}: {how}"));
            }
            if !difference.warned.is_empty() {
                let ids: Vec<_> = difference.warned.iter().map(|id| id.as_str()).collect();
                say(&format!("  a router was warned under {} there", ids.join(", ")));
            }
            say(&format!("  {}", replay(difference.example.world.protocol, difference.seed)));
            for line in difference.feature().lines().skip(2) {
                say(&format!("  {}", readable_text(line)));
            }
        }
        let differences = counted(self.differences.len(), "difference");
        say(&format!(
            "\n{differences}; each is a row of the ledger, a freedom of routers or a fault: somebody \
             decides which"
        ));
        text
    }
}

impl Difference {
    fn feature(&self) -> String {
        self.example.as_feature(&title(self.seed), REQUIREMENT)
    }
}

/// The options that play a journey again.
fn replay(protocol: Protocol, seed: u64) -> String {
    format!("replay: --protocol {} --journey {seed}", protocol.as_str())
}
