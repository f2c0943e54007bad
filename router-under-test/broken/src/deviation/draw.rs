//! Takes deviations by a seed: the same one for the same seed, on every machine.
//!
//! A seed is a round and a number in it. The numbers of a round go round the seams; each seam's own
//! draws go through its elements, and each element's through its operations, in an order that the
//! round shuffles. A third of them has no condition, one, and two.

use std::collections::BTreeSet;

use super::condition::Condition;
use super::seam::Seam;
use super::{Deviation, table};
use crate::protocol::Protocol;

/// How many numbers a round has.
const ROUND: u64 = 1_000_000;

/// A deviation that was drawn, and the protocol in which its router plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Draw {
    /// `broken generated --seed` takes it.
    pub seed: u64,
    /// The protocol of the router.
    pub protocol: Protocol,
    /// What it does.
    pub deviation: Deviation,
}

/// The draws of a round, so many.
pub fn draws(round: u32, count: usize) -> impl Iterator<Item = Draw> {
    (0..count as u64).map(move |number| draw(u64::from(round) * ROUND + number))
}

/// The draw of a seed.
pub fn draw(seed: u64) -> Draw {
    let (round, number) = (seed / ROUND, seed % ROUND);
    let seams = Seam::ALL.len() as u64;
    let seam = picked(Seam::ALL, Chance::of(&[round]), number);
    // How often this seam was drawn before in this round.
    let turn = number / seams;
    let of_seam = seam as u64;
    let many = turn % 3;
    let protocols: Vec<_> = seam.protocols().each().collect();
    let protocol = picked(&protocols, Chance::of(&[round, of_seam]), turn / 3);
    let elements = table::elements(seam, protocol);
    let step = turn / 3 / protocols.len() as u64;
    let element = picked(&elements, Chance::of(&[round, of_seam, many, 1]), step);
    let operations = table::operations(seam, element, protocol);
    let place = elements.iter().position(|other| *other == element).unwrap_or_default() as u64;
    let step = step / elements.len() as u64;
    let operation =
        picked(&operations, Chance::of(&[round, of_seam, many, protocol as u64, place]), step);
    let mut chance = Chance::of(&[seed, 2]);
    let element = table::named(element, chance.pick(&table::fields(seam, operation)));
    let operation = chance.pick(&table::kinds(seam, element, operation, protocol));
    let possible = table::conditions(seam, element, protocol);
    let when = conditions(possible, many, &mut chance);
    Draw { seed, protocol, deviation: Deviation { seam, element, operation, when } }
}

/// This many of the conditions, or all there are; no two are about the same thing.
fn conditions(
    mut possible: Vec<Condition>,
    many: u64,
    chance: &mut Chance,
) -> [Option<Condition>; 2] {
    let mut take = |wanted: bool| {
        // First what it is about: of some things there are many conditions.
        let subjects: BTreeSet<u8> = possible.iter().map(|it| it.subject()).collect();
        let subjects: Vec<u8> = subjects.into_iter().collect();
        if !wanted || subjects.is_empty() {
            return None;
        }
        let subject = chance.pick(&subjects);
        let of_subject: Vec<_> =
            possible.iter().copied().filter(|condition| condition.subject() == subject).collect();
        let taken = chance.pick(&of_subject);
        possible.retain(|condition| condition.agrees_with(taken));
        Some(taken)
    };
    [take(many >= 1), take(many >= 2)]
}

/// The item at this turn of a round through all, in a shuffled order that holds for all turns.
fn picked<T: Copy>(items: &[T], mut chance: Chance, turn: u64) -> T {
    let mut order: Vec<T> = items.to_vec();
    for left in (1..order.len()).rev() {
        order.swap(left, chance.below(left as u64 + 1) as usize);
    }
    order[(turn % order.len() as u64) as usize]
}

/// Random numbers that stay the same whatever a library does: SplitMix64.
struct Chance(u64);

impl Chance {
    /// By some numbers.
    fn of(numbers: &[u64]) -> Self {
        let mut chance = Self(numbers.len() as u64);
        for number in numbers {
            chance.0 = chance.next() ^ number;
        }
        chance
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len() as u64) as usize]
    }
}
