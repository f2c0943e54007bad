//! Journeys that are drawn once and played by many routers: the same ones for each.

use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::sync::OnceLock;
use std::time::Instant;

use cell_fleet::Protocol;

use super::exhaustive;
use super::exploration::Exploration;
use super::explored::{JourneyId, Limit, Scope};
use super::generate::drawn;
use super::play::Ran;
use super::seeds::CANDIDATES;
use super::source::{Drawn, TOGETHER};
use super::weights::Weights;
use conformance_suite::catalog::Case;
use conformance_suite::engine::Subject;
use conformance_suite::ledger::Ledger;
use conformance_suite::stage::Launch;
use conformance_suite::verdict::Verdict;

/// More candidates than a hunt draws: the seeds of two hunts have none in common.
const FAR: u64 = 1_000_000;

/// Journeys of both protocols, by number. Each is put together when it is first asked for.
#[derive(Debug)]
pub struct Prepared {
    weights: Weights,
    ids: Vec<JourneyId>,
    buffering: Vec<OnceLock<Drawn>>,
    learning: Vec<OnceLock<Drawn>>,
}

impl Prepared {
    /// This many random journeys of each protocol. Earlier draws steer later ones, so that no pair
    /// of situation and deed stays rare. What routers do has no influence, so every router meets
    /// the same journeys.
    pub fn random(seed: u64, count: usize) -> Self {
        let weights = Weights::embedded();
        let mut met: BTreeMap<_, u64> = BTreeMap::new();
        let mut ids = Vec::with_capacity(count);
        for number in 0..count as u64 {
            let first = seed.wrapping_mul(FAR).wrapping_add(number * CANDIDATES);
            let candidates = (0..CANDIDATES).map(|candidate| first.wrapping_add(candidate));
            let candidates = candidates.map(|seed| (seed, drawn(seed, &weights)));
            let often = |(_, pairs): &(u64, Vec<_>)| {
                let sum: u64 = pairs.iter().map(|pair| met.get(pair).copied().unwrap_or(0)).sum();
                sum * 100 / pairs.len().max(1) as u64
            };
            let Some((seed, pairs)) = candidates.min_by_key(often) else { continue };
            pairs.into_iter().for_each(|pair| *met.entry(pair).or_default() += 1);
            ids.push(JourneyId::Seed(seed));
        }
        Self::of(ids, weights)
    }

    /// All journeys of the small world up to this length, of each protocol.
    pub fn exhaustive(depth: usize) -> Self {
        let ids = (1..=exhaustive::count(depth)).map(JourneyId::Number);
        Self::of(ids.collect(), Weights::embedded())
    }

    fn of(ids: Vec<JourneyId>, weights: Weights) -> Self {
        let places = || ids.iter().map(|_| OnceLock::new()).collect();
        Self { weights, buffering: places(), learning: places(), ids }
    }

    /// How many journeys there are of each protocol.
    pub fn count(&self) -> usize {
        self.ids.len()
    }

    /// The name of the journey of this number, counted from 0: `explore --journey` runs it again.
    pub(crate) fn id(&self, number: usize) -> Option<JourneyId> {
        self.ids.get(number).copied()
    }

    /// The journey of this number, or what is wrong with it: a fault of the suite.
    pub(crate) fn get(&self, protocol: Protocol, number: usize) -> Option<&Result<Case, String>> {
        self.drawn(protocol, number).map(|drawn| &drawn.case)
    }

    fn drawn(&self, protocol: Protocol, number: usize) -> Option<&Drawn> {
        let journeys = match protocol {
            Protocol::Buffering => &self.buffering,
            Protocol::Learning => &self.learning,
        };
        let id = self.id(number)?;
        let place = journeys.get(number)?;
        Some(place.get_or_init(|| Drawn::of(id, protocol, &self.weights)))
    }

    /// Plays journeys of these protocols with a router, and tells of each, until that breaks or none
    /// is left. The protocols take turns.
    pub(crate) fn play(
        &self,
        router: &Router<'_>,
        protocols: &[Protocol],
        mut tell: impl FnMut(Told) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.groups().try_for_each(|group| {
            protocols.iter().try_for_each(|protocol| {
                self.play_group(router, *protocol, group.clone(), &mut tell)
            })
        })
    }

    /// The numbers of journeys that are drawn together.
    pub(crate) fn groups(&self) -> impl Iterator<Item = Range<usize>> {
        let (count, together) = (self.count(), TOGETHER as usize);
        (0..count).step_by(together).map(move |first| first..count.min(first + together))
    }

    /// Plays the journeys with these numbers, and tells of each, until that breaks. They share a
    /// router where they can; a failure is repeated alone. Violations of every level count.
    pub(crate) fn play_group(
        &self,
        router: &Router<'_>,
        protocol: Protocol,
        group: Range<usize>,
        tell: &mut impl FnMut(Told) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let plan = Exploration {
            subject: router.subject,
            launch: router.launch,
            ledger: Ledger::embedded(),
            weights: &self.weights,
            protocols: &[protocol],
            seed: 0,
            scope: Scope::Random(Limit::Journeys(self.count() as u64)),
            earlier: &[],
            jobs: 1,
            left_out: &[],
            alone: router.alone,
            keep_going: false,
            every_level: true,
        };
        let clock = Instant::now();
        let numbered = |number| Some((number as u64, self.drawn(protocol, number)?.clone()));
        let (shared, alone) = plan.parted(group.filter_map(numbered).collect());
        plan.play_shared(shared, clock, |_, ran| tell(ran.into()))?;
        alone.into_iter().try_for_each(|(_, drawn)| tell(plan.play(drawn, clock).into()))
    }
}

/// A router that plays prepared journeys.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Router<'a> {
    /// What it claims.
    pub(crate) subject: &'a Subject,
    /// How it is launched.
    pub(crate) launch: &'a Launch,
    /// Whether each journey has a router of its own.
    pub(crate) alone: bool,
}

/// How a journey went.
#[derive(Debug)]
pub(crate) struct Told {
    /// Its protocol.
    pub(crate) protocol: Protocol,
    /// What `explore --journey` takes to run it again.
    pub(crate) name: String,
    /// What became of it.
    pub(crate) verdict: Verdict,
}

impl From<Ran> for Told {
    fn from(ran: Ran) -> Self {
        let earlier = ran.drawn.earlier.iter().map(u64::to_string);
        let names: Vec<_> = earlier.chain([ran.drawn.id.to_string()]).collect();
        Self { protocol: ran.drawn.protocol, name: names.join(","), verdict: ran.verdict }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_prepares_the_same_journeys_again() {
        let names = |seed| {
            let prepared = Prepared::random(seed, 3);
            let case = |number| prepared.get(Protocol::Learning, number).unwrap().clone().unwrap();
            (0..3).map(|number| case(number).name).collect::<Vec<_>>()
        };
        assert_eq!(names(1), names(1));
        assert_ne!(names(1), names(2));
        assert!(Prepared::random(1, 3).get(Protocol::Buffering, 3).is_none());
    }

    #[test]
    fn every_journey_of_the_small_world_is_prepared() {
        let prepared = Prepared::exhaustive(1);
        assert_eq!(prepared.count(), 13);
        assert!((0..13).all(|number| prepared.get(Protocol::Buffering, number).unwrap().is_ok()));
    }
}
