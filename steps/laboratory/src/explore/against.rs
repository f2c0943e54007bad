//! The same journeys through two routers: where users or cells see something that differs, although
//! the model permits both.
//!
//! What chance decides differs between two plays of one router too. So a journey with a difference is
//! played again by both, and what counts is what no play of one router has in common with a play of the
//! other.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::exploration::{Exploration, REQUIREMENT, played, side_by_side, title};
use super::explored::Scope;
use super::generate::journey;
use super::journey::Journey;
use super::shrink::shrunk;
use conformance_suite::action::{self, Action};
use conformance_suite::engine::{ExitCode, Subject, counted};
use conformance_suite::judge::{At, COURSE, Seen, seen};
use conformance_suite::ledger::RequirementId;
use conformance_suite::report::{Screen, sentence};
use conformance_suite::stage::{Launch, readable_text};
use conformance_suite::trace::Phase;

/// How often each router plays a journey with a difference that is new. A choice that is made by
/// chance looks like a difference in at most one of 32,000 journeys.
const PLAYS: usize = 8;
/// How often they do for each journey that could be a shorter example.
const PLAYS_OF_SHORTER: usize = 3;
/// The time in which an example is made shorter.
const SHORTEN: Duration = Duration::from_secs(15);
/// After how many journeys without a verdict all ends.
const MOST_TROUBLES: usize = 20;
/// What is no difference.
const NORMALIZED: &str = "not told: what the contract leaves to the router (case, order and joining \
    of fields, Via, Server, Date, forwarded fields, Host, framing, pooling, what a 304 lacks), \
    bounces, the cell that a pick draws, texts of refusals, values that a router added or changed, \
    and what one router did in several ways when it played a journey again";

/// An exploration of one router, and the other one.
#[derive(Debug)]
pub struct Against<'a> {
    pub plan: &'a Exploration<'a>,
    pub other: &'a Subject,
    /// How the other router is launched.
    pub launch: &'a Launch,
}

/// A kind of difference: what it is about, what each router has, and the kind of the request, where
/// that took another course.
type Kind = (String, [String; 2], String);

/// What differs in a journey, with the kinds of the requests.
type Differing = BTreeMap<Kind, Vec<String>>;

/// What the journeys showed.
#[derive(Debug, Default)]
pub struct Compared {
    /// How many were compared.
    journeys: usize,
    /// Why others were not: how many, and the first.
    others: BTreeMap<Why, (usize, String)>,
    differences: BTreeMap<Kind, Difference>,
    /// Whether it ended before its time.
    is_cut: bool,
}

/// Why a journey is not compared.
#[derive(PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Why {
    /// A router violates a MUST: what differs there is no freedom.
    Violated(String, RequirementId),
    /// What a router violates is left out.
    LeftOut,
    /// A router cannot play it by what it claims.
    Claims,
    NoVerdict(String),
}

/// What is known of a kind of difference.
#[derive(Clone, Debug, Default)]
struct Difference {
    journeys: usize,
    /// In how many requests of each kind.
    requests: BTreeMap<String, usize>,
    /// The shortest journey with it so far, and its seed.
    example: Option<(Journey, u64)>,
}

impl Against<'_> {
    /// Plays the journeys.
    pub fn compare(&self) -> Compared {
        let (next, clock) = (AtomicU64::new(0), Instant::now());
        let end = self.plan.count().unwrap_or(u64::MAX);
        let compared = Mutex::new(Compared::default());
        let lock = || compared.lock().unwrap_or_else(PoisonError::into_inner);
        side_by_side(self.plan.jobs, || {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let is_late = matches!(self.plan.scope, Scope::Time(limit) if clock.elapsed() >= limit);
            let is_cut = lock().troubles() >= MOST_TROUBLES || self.is_stopped();
            if is_late || is_cut || number >= end {
                lock().is_cut |= is_cut;
                return false;
            }
            let (protocol, seed) = self.plan.drawn(number);
            let drawn = journey(protocol, seed);
            let is_new = |found: &Differing| {
                let known = &lock().differences;
                found.keys().any(|kind| !known.contains_key(kind))
            };
            let came = self.play(&drawn, seed, PLAYS, is_new);
            lock().add(came, &drawn, seed);
            true
        });
        let mut compared = compared.into_inner().unwrap_or_else(PoisonError::into_inner);
        let waiting = Mutex::new(compared.differences.iter_mut());
        side_by_side(self.plan.jobs, || {
            let next = waiting.lock().unwrap_or_else(PoisonError::into_inner).next();
            next.map(|(kind, difference)| self.shorten(kind, difference)).is_some()
        });
        compared
    }

    fn is_stopped(&self) -> bool {
        self.plan.launch.stop.reason().is_some()
    }

    /// Plays a journey through both, at most `plays` times: as long as they differ, and what was found
    /// asks for more.
    fn play(
        &self,
        journey: &Journey,
        seed: u64,
        plays: usize,
        asks_for_more: impl Fn(&Differing) -> bool,
    ) -> Result<Differing, Vec<Why>> {
        let case = journey.as_case(&title(seed), REQUIREMENT);
        let case = case.map_err(|why| vec![Why::NoVerdict(why)])?;
        let sides = [(self.plan.subject, self.plan.launch), (self.other, self.launch)];
        if sides.iter().any(|(subject, _)| subject.skips(&case).is_some()) {
            return Err(vec![Why::Claims]);
        }
        let mut all: [Vec<Seen>; 2] = Default::default();
        loop {
            let mut others = Vec::new();
            for ((subject, launch), all) in sides.iter().zip(&mut all) {
                let verdict = played(&case, launch);
                let trace = verdict.trace.as_ref().filter(|_| verdict.start_failure.is_none());
                let name = &subject.described.name;
                let no_verdict = || vec![Why::NoVerdict(format!("{name}: {}", verdict.outcome))];
                all.push(seen(trace.ok_or_else(no_verdict)?));
                let found = self.plan.violated(journey.world.protocol, &verdict);
                others.extend(found.musts.into_iter().map(|id| Why::Violated(name.clone(), id)));
                others.extend(found.left_out.first().map(|_| Why::LeftOut));
            }
            if !others.is_empty() {
                return Err(others);
            }
            let found = differing(&all, &journey.actions);
            if found.is_empty() || all[0].len() >= plays || !asks_for_more(&found) {
                return Ok(found);
            }
        }
    }

    /// Makes the example of a difference as short as the time allows.
    fn shorten(&self, kind: &Kind, difference: &mut Difference) {
        let until = Instant::now() + SHORTEN;
        let Some((example, seed)) = difference.example.take() else { return };
        let is_there = |found: &Differing| found.contains_key(kind);
        let has_it = |shorter: &Journey| {
            let came = || self.play(shorter, seed, PLAYS_OF_SHORTER, is_there);
            let is_over = Instant::now() >= until || self.is_stopped();
            !is_over && came().is_ok_and(|found| is_there(&found))
        };
        let shortest = shrunk(example, |some| some.into_iter().find(has_it));
        difference.example = Some((shortest, seed));
    }
}

/// What no play of one router has in common with a play of the other. Where a request took another
/// course, nothing else of it is compared.
fn differing(all: &[Vec<Seen>; 2], actions: &[Action]) -> Differing {
    let differs = |thing: &(At, String)| -> Option<[String; 2]> {
        let how = |seen| Seen::get(seen, thing).map_or("nothing to tell", String::as_str);
        let sides = [0, 1].map(|side| all[side].iter().map(how).collect::<BTreeSet<_>>());
        let differs = sides[0].is_disjoint(&sides[1]);
        differs.then(|| sides.map(|side| Vec::from_iter(side).join(" or ")))
    };
    let mut found = Differing::new();
    for (at, what) in all.iter().flatten().flat_map(Seen::keys).collect::<BTreeSet<_>>() {
        let course = differs(&(at.clone(), COURSE.to_owned()));
        let (sides, is_course) = match course {
            Some(course) => (Some(course).filter(|_| what == COURSE), true),
            None => (differs(&(at.clone(), what.clone())), false),
        };
        if let Some(sides) = sides {
            let request = kind(actions, at.0);
            let apart = if is_course { request.clone() } else { String::new() };
            found.entry((what.clone(), sides, apart)).or_default().push(request);
        }
    }
    found
}

/// The kind of request that was sent in a phase; of bytes that were written by hand, with the first
/// line that is not in most of them.
fn kind(actions: &[Action], phase: Phase) -> String {
    const USUAL: [&str; 5] =
        ["GET /", "Host: {", "{host", "X-Conformance-Id: ", "Connection: close"];
    let Phase::Step(step) = phase else { return String::new() };
    let action = actions.get(step);
    let word: &str = action.and_then(action::Kind::of).map_or("another request", Into::into);
    let Some(Action::RawBytes { text, .. }) = action else { return word.to_owned() };
    let is_odd = |line: &&str| !line.is_empty() && !USUAL.iter().any(|it| line.starts_with(it));
    let line = text.lines().find(is_odd).unwrap_or("GET");
    let line = line.split_once(" /").map_or(line, |(method, _)| method);
    format!("{word} `{}`", line.chars().take(40).collect::<String>())
}

impl Compared {
    fn add(&mut self, came: Result<Differing, Vec<Why>>, journey: &Journey, seed: u64) {
        let found = match came {
            Ok(found) => found,
            Err(others) => {
                for why in others {
                    self.others.entry(why).or_insert((0, replay(journey, seed))).0 += 1;
                }
                return;
            }
        };
        self.journeys += 1;
        for (kind, requests) in found {
            let known = self.differences.entry(kind).or_default();
            known.journeys += 1;
            requests.into_iter().for_each(|it| *known.requests.entry(it).or_default() += 1);
            let is_shorter = |(it, _): &(Journey, u64)| journey.actions.len() < it.actions.len();
            if known.example.as_ref().is_none_or(is_shorter) {
                known.example = Some((journey.clone(), seed));
            }
        }
    }

    /// How many journeys have no verdict.
    fn troubles(&self) -> usize {
        let troubles = self.others.iter().filter(|(why, _)| matches!(why, Why::NoVerdict(_)));
        troubles.map(|(_, (times, _))| times).sum()
    }

    /// Differences are no failures; violated MUSTs are.
    pub fn exit_code(&self) -> ExitCode {
        if self.others.keys().any(|why| matches!(why, Why::Violated(..))) {
            ExitCode::Failure
        } else if self.journeys == 0 || self.is_cut {
            ExitCode::Incomplete
        } else {
            ExitCode::Success
        }
    }

    /// What was compared, for people; `names` are those of the routers.
    pub fn text(&self, names: [&str; 2], screen: &Screen) -> String {
        let mut lines = vec![format!("{} compared", counted(self.journeys, "journey"))];
        for (why, (times, first)) in &self.others {
            let why = match why {
                Why::Violated(name, id) => format!("{name} violates {id}"),
                Why::LeftOut => "what is violated is left out".to_owned(),
                Why::Claims => "a router does not claim what it takes".to_owned(),
                Why::NoVerdict(why) => format!("no verdict, {why}"),
            };
            lines.push(format!("{} not: {why}; {first}", counted(*times, "journey")));
        }
        lines.push(NORMALIZED.to_owned());
        let mut text = String::new();
        let mut add = |lines: Vec<String>, example: &str| {
            for line in lines {
                text += &format!("{}\n", sentence(&line, screen));
            }
            text += example;
        };
        add(lines, "");
        for (number, ((what, sides, _), difference)) in self.differences.iter().enumerate() {
            let journeys = counted(difference.journeys, "journey");
            let requests =
                difference.requests.iter().map(|(kind, times)| format!("{kind} {times}"));
            let requests = Vec::from_iter(requests).join(", ");
            let mut lines = vec![String::new()];
            lines.push(format!("DIFFERENCE {}: {what}, in {journeys}: {requests}", number + 1));
            lines.extend(names.iter().zip(sides).map(|(name, how)| format!("  {name}: {how}")));
            let Some((example, seed)) = &difference.example else { continue };
            lines.push(format!("  {}", replay(example, *seed)));
            let feature = example.as_feature(&title(*seed), REQUIREMENT);
            let steps = feature.lines().skip(2).map(|it| format!("  {}\n", readable_text(it)));
            add(lines, &steps.collect::<String>());
        }
        let differences = counted(self.differences.len(), "difference");
        let last = "each is a requirement, a freedom or a fault, as somebody has to decide";
        add(vec![String::new(), format!("{differences}; {last}")], "");
        text
    }
}

/// The options that play a journey again.
fn replay(journey: &Journey, seed: u64) -> String {
    format!("replay: --protocol {} --journey {seed}", journey.world.protocol.as_str())
}
