//! Where journeys come from: chance, one seed, or the fixed order of the small world.

use cell_fleet::Protocol;

use super::exhaustive;
use super::explored::{JourneyId, Limit, Scope};
use super::generate::{drawn, journey};
use super::journey::Journey;
use super::pairs::Pairs;
use super::run::{Drawn, REQUIREMENT};
use super::weights::Weights;

/// How many journeys are drawn for one that runs: the one with the rarest pairs.
const CANDIDATES: u64 = 4;

/// Makes the journeys of an exploration.
#[derive(Debug)]
pub(super) struct Source<'a> {
    scope: Scope,
    seed: u64,
    protocols: &'a [Protocol],
    weights: &'a Weights,
}

impl<'a> Source<'a> {
    pub(super) fn of(
        scope: Scope,
        seed: u64,
        protocols: &'a [Protocol],
        weights: &'a Weights,
    ) -> Self {
        Self { scope, seed, protocols, weights }
    }

    /// How many journeys there are in all protocols; `None` where there is no end.
    pub(super) fn count(&self) -> Option<u64> {
        let protocols = self.protocols.len() as u64;
        match self.scope {
            _ if protocols == 0 => Some(0),
            Scope::Random(Limit::Journeys(count)) => Some(count),
            Scope::Random(Limit::Time(_)) => None,
            Scope::One(_) => Some(protocols),
            Scope::Exhaustive { depth } => Some(protocols * exhaustive::count(depth)),
        }
    }

    /// The journey with this number, counted from 0; these pairs were met before.
    pub(super) fn journey(&self, number: u64, pairs: &Pairs) -> Drawn {
        let protocols = self.protocols.len() as u64;
        let protocol = self.protocols[(number % protocols) as usize];
        let id = match self.scope {
            Scope::Random(_) => JourneyId::Seed(self.rarest(number, pairs)),
            Scope::One(id) => id,
            Scope::Exhaustive { .. } => JourneyId::Number(number / protocols + 1),
        };
        let journey = match id {
            JourneyId::Seed(seed) => journey(protocol, seed, self.weights),
            JourneyId::Number(number) => exhaustive::journey(protocol, number),
        };
        made(id, protocol, journey)
    }

    /// Of a few seeds, the one whose journey has the rarest pairs.
    fn rarest(&self, number: u64, pairs: &Pairs) -> u64 {
        let seeds = (0..CANDIDATES)
            .map(|candidate| mixed(self.seed, (number + 1) * CANDIDATES + candidate));
        let rarity = |seed: &u64| {
            let drawn = drawn(*seed, self.weights);
            let sum: f64 =
                drawn.iter().map(|(situation, deed)| pairs.rarity(*situation, *deed)).sum();
            (sum * 1e6) as u64 / drawn.len().max(1) as u64
        };
        seeds.max_by_key(rarity).unwrap_or(self.seed)
    }
}

fn made(id: JourneyId, protocol: Protocol, journey: Journey) -> Drawn {
    let case = journey.as_case(&format!("journey {id} is permitted"), REQUIREMENT);
    Drawn { id, protocol, journey, case }
}

/// A seed from a seed and a number (splitmix64).
fn mixed(seed: u64, number: u64) -> u64 {
    let mut mixed = seed.wrapping_add(number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}
