use std::collections::BTreeSet;
use std::sync::LazyLock;

use proptest::prelude::*;

use super::super::record::suite;
use super::*;
use crate::catalog::Catalog;

/// The features, with the needs of all cases: a clone of a case computes its own otherwise.
static CATALOG: LazyLock<Catalog> = LazyLock::new(|| {
    let catalog = Catalog::embedded();
    for case in &catalog.cases {
        let _ = case.needs();
    }
    catalog
});

fn shard(index: usize, count: usize) -> Shard {
    Shard { index, count }
}

fn names(cases: &[Case]) -> Vec<String> {
    cases.iter().map(|case| case.name.clone()).collect()
}

#[test]
fn a_shard_is_read_and_a_wrong_one_says_what_is_wrong() {
    assert_eq!("2/8".parse(), Ok(shard(2, 8)));
    for (text, part) in [
        ("0/8", "counted from 1"),
        ("9/8", "the last of 8 shards is 8/8"),
        ("1/0", "at least one"),
        ("x", "like 2/8"),
        ("2", "like 2/8"),
        ("2/", "like 2/8"),
        ("-1/8", "like 2/8"),
        ("1/2/3", "like 2/8"),
        ("", "like 2/8"),
    ] {
        let why = text.parse::<Shard>().unwrap_err();
        assert!(why.contains(part), "{text}: {why}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Any cases in any order with any times: each case is in exactly one shard, and that shard is
    /// the same for another order.
    #[test]
    fn each_case_is_in_one_shard_which_no_order_changes(
        picked in prop::collection::vec(any::<prop::sample::Index>(), 0..120),
        times in prop::collection::vec(prop::option::of(0_u64..5_000), 120),
        is_timed in any::<bool>(),
        count in 1_usize..40,
        turn in any::<prop::sample::Index>(),
    ) {
        let picked: BTreeSet<_> =
            picked.iter().map(|at| at.index(CATALOG.cases.len())).collect();
        let cases: Vec<_> = picked.iter().map(|at| CATALOG.cases[*at].clone()).collect();
        let timed = cases.iter().zip(&times);
        let timings = Timings(timed.filter_map(|(case, time)| Some((case.name.clone(), (*time)?)))
            .collect());
        let timings = is_timed.then_some(timings);
        let mut turned = cases.clone();
        if !turned.is_empty() {
            let by = turn.index(turned.len());
            turned.rotate_left(by);
            turned[by..].reverse();
        }
        let mut seen = Vec::new();
        for index in 1..=count {
            let cut = Cut::new(shard(index, count), timings.clone());
            let own = names(&cut.of(cases.clone()));
            let mut other = names(&cut.of(turned.clone()));
            let mut sorted = own.clone();
            sorted.sort();
            other.sort();
            prop_assert_eq!(&sorted, &other);
            seen.extend(own);
        }
        seen.sort();
        let mut all = names(&cases);
        all.sort();
        prop_assert_eq!(seen, all);
    }
}

/// The numbers of the whole suite's cases in each of eight shards that fit.
fn counts(timings: Option<Timings>, fits: &dyn Fn(&Case) -> bool) -> Vec<usize> {
    let shards = (1..=8).map(|index| {
        let cut = Cut::new(shard(index, 8), timings.clone());
        cut.of(CATALOG.cases.clone()).iter().filter(|case| fits(case)).count()
    });
    shards.collect()
}

fn spread(of: &[usize]) -> usize {
    of.iter().max().unwrap() - of.iter().min().unwrap()
}

#[test]
fn without_times_every_kind_of_case_is_spread_evenly() {
    let kinds: [&dyn Fn(&Case) -> bool; 2] =
        [&|_| true, &|case| case.protocol.as_str() == "learning"];
    for kind in kinds {
        let counts = counts(None, kind);
        assert!(spread(&counts) <= 2, "{counts:?}");
    }
}

#[test]
fn with_times_the_shards_take_as_long_as_each_other() {
    let slow = |at: usize| if at.is_multiple_of(97) { 20_000 } else { 50 };
    let times: BTreeMap<_, _> =
        CATALOG.cases.iter().enumerate().map(|(at, case)| (case.name.clone(), slow(at))).collect();
    let took = |index| {
        let cut = Cut::new(shard(index, 8), Some(Timings(times.clone())));
        cut.of(CATALOG.cases.clone()).iter().map(|case| times[&case.name]).sum::<u64>()
    };
    let took: Vec<_> = (1..=8).map(took).collect();
    // The slowest case is the bound of any cut by the longest first.
    assert!(took.iter().max().unwrap() - took.iter().min().unwrap() <= 20_000, "{took:?}");
    let counts = counts(Some(Timings(times.clone())), &|case| times[&case.name] == 20_000);
    assert!(spread(&counts) <= 1, "{counts:?}");
}

#[test]
fn more_shards_than_cases_leave_some_empty() {
    let cases = CATALOG.cases[..3].to_vec();
    let of = |index| Cut::new(shard(index, usize::MAX), None).of(cases.clone()).len();
    assert_eq!([of(1), of(2), of(3), of(4), of(usize::MAX)], [1, 1, 1, 0, 0]);
}

#[test]
fn other_times_have_another_digest() {
    let part = |took: u64| {
        let timings = Timings([("a".to_owned(), took)].into());
        Cut::new(shard(1, 2), Some(timings)).part()
    };
    assert_eq!(part(1), part(1));
    assert_ne!(part(1), part(2));
    assert_ne!(part(1), Cut::new(shard(1, 2), None).part());
}

#[test]
fn the_seed_follows_from_the_selection() {
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    let seed = |list: &[&str]| seed_of(&words(list), suite());
    assert_eq!(seed(&["a", "b"]), seed(&["a", "b"]));
    assert_ne!(seed(&["a", "b"]), seed(&["ab"]));
    let others = SuiteRecord { features_digest: "00".to_owned(), ..suite().clone() };
    assert_ne!(seed(&["a"]), seed_of(&words(&["a"]), &others));
}
