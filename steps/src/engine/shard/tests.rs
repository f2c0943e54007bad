use std::collections::BTreeSet;
use std::sync::LazyLock;

use cell_fleet::Protocol;
use proptest::prelude::*;

use super::super::record::suite;
use super::*;
use crate::catalog::Catalog;

/// The features, with the steps of all cases read: each clone of a case reads its own otherwise.
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

    /// Any cases in any order: each case is in exactly one shard, and that shard is the same for
    /// another order.
    #[test]
    fn each_case_is_in_one_shard_which_no_order_changes(
        picked in prop::collection::vec(any::<prop::sample::Index>(), 0..120),
        count in 1_usize..40,
        turn in any::<prop::sample::Index>(),
    ) {
        let picked: BTreeSet<_> =
            picked.iter().map(|at| at.index(CATALOG.cases.len())).collect();
        let cases: Vec<_> = picked.iter().map(|at| CATALOG.cases[*at].clone()).collect();
        let mut turned = cases.clone();
        if !turned.is_empty() {
            let by = turn.index(turned.len());
            turned.rotate_left(by);
            turned[by..].reverse();
        }
        let mut seen = Vec::new();
        for index in 1..=count {
            let shard = shard(index, count);
            let own = names(&shard.of(cases.clone()));
            let mut other = names(&shard.of(turned.clone()));
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

#[test]
fn every_kind_of_case_is_spread_evenly() {
    let kinds: [&dyn Fn(&Case) -> bool; 2] =
        [&|_| true, &|case| case.protocol == Protocol::Learning];
    for kind in kinds {
        let shards = (1..=8).map(|index| shard(index, 8).of(CATALOG.cases.clone()));
        let counts: Vec<_> =
            shards.map(|own| own.iter().filter(|case| kind(case)).count()).collect();
        let spread = counts.iter().max().unwrap() - counts.iter().min().unwrap();
        assert!(spread <= 2, "{counts:?}");
    }
}

#[test]
fn more_shards_than_cases_leave_some_empty() {
    let cases = CATALOG.cases[..3].to_vec();
    let of = |index| shard(index, usize::MAX).of(cases.clone()).len();
    assert_eq!([of(1), of(2), of(3), of(4), of(usize::MAX)], [1, 1, 1, 0, 0]);
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
