//! What is drawn: only what can be played, and all kinds of it.

use super::*;

/// Journeys of fixed seeds, in both protocols.
fn journeys(count: u64) -> impl Iterator<Item = Journey> {
    (0..count).map(|seed| journey(Protocol::ALL[seed as usize % 2], seed))
}

#[test]
fn every_drawn_journey_is_a_case() {
    for journey in journeys(60) {
        assert!(journey.is_sound(), "{}", journey.as_feature("unsound", "RT-08"));
        let case = journey.as_case("a drawn journey is permitted", "RT-08");
        if let Err(why) = case.and_then(|case| conformance_suite::run::planned_for(&case).map(drop))
        {
            panic!("{why}");
        }
    }
}

#[test]
fn the_same_seed_draws_the_same_journey() {
    for seed in [1, 77] {
        let drawn = journey(Protocol::Learning, seed);
        assert_eq!(drawn, journey(Protocol::Learning, seed));
        assert_ne!(drawn, journey(Protocol::Learning, seed + 1));
    }
}

/// What a generator loses first: places that are nearly the same, what needs several choices at
/// once, and what only one situation leads to.
#[test]
fn what_is_seldom_is_drawn_as_well() {
    let written: Vec<_> =
        journeys(2_000).map(|it| it.as_feature("a drawn journey is permitted", "RT-08")).collect();
    for text in [
        "apart from its group",
        "is a member of",
        "region lag until they are released",
        "that only the latest version knows",
        "every cell holds its response to a pre-flight",
        "every cell responds to a pre-flight about",
        "X-GITLAB-CELL-REDIRECT: ",
        "sends FROBNICATE",
        "with 2001 random bytes in chunks",
        "uploads 400 bytes",
        "is renamed to",
        "region goes down",
        "router restarts",
        "the held response to",
        "several users share a connection, pipelining",
        "31 times",
    ] {
        assert!(written.iter().any(|feature| feature.contains(text)), "no journey has {text:?}");
    }
    let nests = |journey: Journey| {
        let places = &journey.world.places;
        let inside = |a: &PlannedPlace, b: &PlannedPlace| {
            b.path.starts_with(&format!("{}/", a.path)) && a.cell != b.cell
        };
        places.iter().any(|a| places.iter().any(|b| inside(a, b)))
    };
    assert!(journeys(300).any(nests));
}
