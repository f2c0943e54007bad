//! Where journeys come from: chance, or one seed.

use cell_fleet::Protocol;

use super::batch::{can_share, joined};
use super::explored::{Limit, Scope};
use super::generate::{drawn, journey};
use super::journey::Journey;
use super::pairs::{Met, Pairs};
use super::seeds::{CANDIDATES, FAMILY, first_of_family, mixed};
use super::turns::Groups;
use conformance_suite::catalog::Case;

/// The requirement that a journey names before anything is known about it: the user gets the
/// owner's response.
pub(super) const REQUIREMENT: &str = "RT-08";
/// How many journeys of one protocol are drawn together, with the same cells and routers.
pub(super) const TOGETHER: u64 = FAMILY / CANDIDATES;

/// Makes the journeys of an exploration.
#[derive(Debug)]
pub(super) struct Source<'a> {
    scope: Scope,
    seed: u64,
    protocols: &'a [Protocol],
    /// The seeds of journeys that go before the one that runs alone.
    earlier: &'a [u64],
}

impl<'a> Source<'a> {
    pub(super) fn of(
        scope: Scope,
        seed: u64,
        protocols: &'a [Protocol],
        earlier: &'a [u64],
    ) -> Self {
        Self { scope, seed, protocols, earlier }
    }

    /// How many journeys there are in all protocols; `None` where there is no end.
    pub(super) fn count(&self) -> Option<u64> {
        let protocols = self.protocols.len() as u64;
        match self.scope {
            _ if protocols == 0 => Some(0),
            Scope::Random(Limit::Journeys(count)) => Some(count),
            Scope::Random(Limit::Time(_)) => None,
            Scope::One(_) => Some(protocols),
        }
    }

    /// Which journeys are drawn together.
    pub(super) fn groups(&self) -> Groups {
        match self.scope {
            Scope::Random(_) => Groups { size: TOGETHER, protocols: self.protocols.len() as u64 },
            Scope::One(_) => Groups { size: 1, protocols: 1 },
        }
    }

    /// The journey with this number, counted from 0; these pairs were met before.
    pub(super) fn journey(&self, number: u64, pairs: &Pairs) -> Drawn {
        let protocols = self.protocols.len() as u64;
        let protocol = self.protocols[(number % protocols) as usize];
        let seed = match self.scope {
            Scope::Random(_) => self.rarest(number, pairs),
            Scope::One(seed) => seed,
        };
        let drawn = Drawn::of(seed, protocol);
        let seeds = self.earlier.iter().map(|seed| journey(protocol, *seed));
        let before: Vec<_> = seeds.collect();
        match joined(before.iter().chain([&drawn.journey])) {
            Some(run) if !before.is_empty() => {
                Drawn::after(self.earlier.to_vec(), seed, protocol, run)
            }
            _ => drawn,
        }
    }

    /// Of a few candidates, the one whose journey has the rarest pairs.
    fn rarest(&self, number: u64, pairs: &Pairs) -> u64 {
        let protocols = self.protocols.len() as u64;
        let (place, protocol) = (number / protocols, number % protocols);
        let family = (place / TOGETHER) * protocols + protocol;
        let first = first_of_family(mixed(self.seed, family + 1)) + place % TOGETHER * CANDIDATES;
        let seeds = (0..CANDIDATES).map(|candidate| first + candidate);
        let rarity = |seed: &u64| {
            let drawn = drawn(*seed);
            let pairs = drawn
                .iter()
                .map(|(situation, deed)| pairs.rarity(Met::expected(*situation, *deed)));
            let sum: f64 = pairs.sum();
            (sum * 1e6) as u64 / drawn.len().max(1) as u64
        };
        seeds.max_by_key(rarity).unwrap_or(self.seed)
    }
}

/// A journey that is to run.
#[derive(Clone, Debug)]
pub(super) struct Drawn {
    /// The seeds of journeys that share its router and go before it; they are part of the journey.
    pub(super) earlier: Vec<u64>,
    pub(super) seed: u64,
    pub(super) protocol: Protocol,
    pub(super) journey: Journey,
    /// The journey as a case, or the fault of exploration that prevents it.
    pub(super) case: Result<Case, String>,
}

impl Drawn {
    /// The journey of this seed.
    fn of(seed: u64, protocol: Protocol) -> Self {
        Self::after(Vec::new(), seed, protocol, journey(protocol, seed))
    }

    /// A journey with these journeys before it.
    pub(super) fn after(
        earlier: Vec<u64>,
        seed: u64,
        protocol: Protocol,
        journey: Journey,
    ) -> Self {
        let case = journey.as_case(&title(seed, earlier.len()), REQUIREMENT);
        Self { earlier, seed, protocol, journey, case }
    }

    /// The title of the journey as a scenario.
    pub(super) fn title(&self) -> String {
        title(self.seed, self.earlier.len())
    }

    /// Whether others can share its router.
    pub(super) fn can_share(&self) -> bool {
        self.case.is_ok() && can_share(&self.journey)
    }
}

/// The title of a journey as a scenario, after other journeys with the same router.
fn title(seed: u64, earlier: usize) -> String {
    match earlier {
        0 => format!("journey {seed} is permitted"),
        1 => format!("journey {seed} after another is permitted"),
        some => format!("journey {seed} after {some} others is permitted"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many different pairs this number of journeys is drawn to meet, with these seeds.
    fn drawn_pairs(journeys: u64, seed: impl Fn(u64, &Pairs) -> u64) -> usize {
        let mut pairs = Pairs::default();
        for number in 0..journeys {
            let drawn = drawn(seed(number, &pairs));
            let met: Vec<_> =
                drawn.into_iter().map(|(situation, deed)| Met::expected(situation, deed)).collect();
            pairs.add(&met);
        }
        pairs.met()
    }

    #[test]
    fn journeys_with_rare_pairs_are_preferred() {
        for seed in [1, 5, 11] {
            let source = Source::of(Scope::Random(Limit::Journeys(60)), seed, &Protocol::ALL, &[]);
            let steered = drawn_pairs(60, |number, pairs| source.rarest(number, pairs));
            let plain = drawn_pairs(60, |number, _| mixed(seed, (number + 1) * CANDIDATES));
            assert!(steered > plain, "{steered} with steering, {plain} without");
        }
    }

    #[test]
    fn a_seed_draws_a_journey_again() {
        let scope = Scope::Random(Limit::Journeys(9));
        let random = Source::of(scope, 7, &Protocol::ALL, &[]);
        for number in 0..9 {
            let drawn = random.journey(number, &Pairs::default());
            let again = Source::of(Scope::One(drawn.seed), 0, &Protocol::ALL, &[])
                .journey(number % 2, &Pairs::default());
            assert_eq!((drawn.protocol, drawn.journey), (again.protocol, again.journey));
        }
    }
}
