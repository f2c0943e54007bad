//! What the seed of a journey says before anything is drawn: with which journeys it shares its
//! cells and routers, and how its names begin.

use std::iter;

/// Seeds that differ in their last bits alone have the same cells and routers.
const OWN_BITS: u32 = 6;
/// How many seeds have the same cells and routers.
pub(super) const FAMILY: u64 = 1 << OWN_BITS;
/// One journey in this many has plain names.
const PLAIN: u64 = 10;
/// How many seeds one after another are candidates for one journey.
pub(super) const CANDIDATES: u64 = 4;
/// The last of this many consecutive journeys has its own router.
const OWN: u64 = 4;
/// How many characters the names of a journey begin with.
const HEAD: usize = 5;

/// What further seeds are derived for.
const CELLS: u64 = 1;
const NAMES: u64 = 2;

/// A seed from a seed and a number (splitmix64).
pub(super) fn mixed(seed: u64, number: u64) -> u64 {
    let mut mixed = seed.wrapping_add(number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// The seed by which the cells and routers of a journey are drawn: that of its whole family.
pub(super) fn of_cells(seed: u64) -> u64 {
    mixed(seed >> OWN_BITS, CELLS)
}

/// The first of a family of seeds.
pub(super) fn first_of_family(seed: u64) -> u64 {
    seed >> OWN_BITS << OWN_BITS
}

/// The place of a seed in its family.
pub(super) fn in_family(seed: u64) -> u64 {
    seed % FAMILY
}

/// How the names of a journey that is to share a router begin. It is empty for every fourth
/// journey, in which everything may happen, and for one in ten: their names are like those of the
/// application. All have the same length, so that no name of a journey begins with one of another.
pub(super) fn head(seed: u64) -> String {
    let mut left = mixed(seed, NAMES);
    let is_own = in_family(seed) / CANDIDATES % OWN == OWN - 1;
    if is_own || left.is_multiple_of(PLAIN) {
        return String::new();
    }
    left /= PLAIN;
    let letters = iter::repeat_with(|| {
        let letter = (left % 26) as u8;
        left /= 26;
        char::from(b'a' + letter)
    });
    letters.take(HEAD).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn heads_are_of_one_length_and_a_third_of_the_journeys_have_none() {
        let heads: Vec<_> = (0..1_000).map(head).collect();
        let none = heads.iter().filter(|head| head.is_empty()).count();
        assert!((280..370).contains(&none), "{none}");
        let is_own = |seed: &u64| in_family(*seed) / CANDIDATES % OWN == OWN - 1;
        assert!((0..1_000).filter(is_own).all(|seed| head(seed).is_empty()));
        let others: BTreeSet<_> = heads.iter().filter(|head| !head.is_empty()).collect();
        assert_eq!(others.len(), 1_000 - none);
        assert!(others.iter().all(|head| head.len() == HEAD));
    }

    #[test]
    fn a_family_has_the_same_cells() {
        let first = first_of_family(1_234_567);
        let cells: BTreeSet<_> = (first..first + FAMILY).map(of_cells).collect();
        assert_eq!(cells.len(), 1);
        assert_ne!(of_cells(first), of_cells(first + FAMILY));
        assert_eq!(in_family(first + 5), 5);
    }
}
