//! Which journeys share a router, and what they have in common.

use cell_fleet::Protocol;

use super::*;
use crate::explore::generate::journey;
use crate::explore::seeds::{FAMILY, first_of_family};

/// Journeys of one family, those that can share a router.
fn sharing(seed: u64, protocol: Protocol) -> Vec<Journey> {
    let first = first_of_family(seed);
    let drawn = (first..first + FAMILY).map(|seed| journey(protocol, seed));
    drawn.filter(can_share).collect()
}

#[test]
fn many_journeys_of_a_family_can_share_a_router() {
    for (seed, protocol) in (0..8).map(|seed| (seed * FAMILY, Protocol::ALL[seed as usize % 2])) {
        let sharing = sharing(seed, protocol);
        assert!(sharing.len() as u64 > FAMILY / 2, "{}", sharing.len());
        for (place, one) in sharing.iter().enumerate() {
            assert!(sharing[..place].iter().all(|other| fit(other, one)), "{one:?}");
        }
    }
}

#[test]
fn no_name_of_one_journey_begins_with_one_of_another() {
    let sharing = sharing(5 * FAMILY, Protocol::Buffering);
    for (place, one) in sharing.iter().enumerate() {
        for other in sharing.iter().skip(place + 1) {
            let paths = |journey: &Journey| -> Vec<String> {
                journey.world.places.iter().map(|place| place.path.clone()).collect()
            };
            for (a, b) in
                paths(one).iter().flat_map(|a| paths(other).into_iter().map(move |b| (a, b)))
            {
                assert!(!a.starts_with(&b) && !b.starts_with(a), "{a} {b}");
            }
        }
    }
}

#[test]
fn a_batch_is_a_journey_that_can_be_played() {
    for protocol in Protocol::ALL {
        let sharing = sharing(3 * FAMILY, protocol);
        let all = joined(&sharing).unwrap();
        assert!(all.is_sound(), "{}", all.as_feature("a batch is permitted", "RT-08"));
        let case = all.as_case("a batch is permitted", "RT-08").unwrap();
        conformance_suite::run::planned_for(&case).unwrap();
        let lengths: Vec<_> = sharing.iter().map(length).collect();
        assert_eq!(all.actions.len(), lengths.iter().sum::<usize>() + lengths.len() - 1);
        assert_eq!(journey_of(&lengths, 0), 0);
        assert_eq!(journey_of(&lengths, lengths[0]), 0);
        assert_eq!(journey_of(&lengths, lengths[0] + 1), 1);
        assert_eq!(journey_of(&lengths, all.actions.len() - 1), lengths.len() - 1);
    }
    assert_eq!(joined([]), None);
}

#[test]
fn what_others_would_feel_needs_a_router_of_its_own() {
    let one = sharing(0, Protocol::Learning).swap_remove(0);
    assert!(can_share(&one));
    let changed = |change: &dyn Fn(&mut Journey)| {
        let mut one = one.clone();
        change(&mut one);
        can_share(&one)
    };
    assert!(!changed(&|it| it.world.head.clear()));
    assert!(!changed(&|it| it.world.ttl_ms = Some(100)));
    assert!(!changed(&|it| it.world.max_entries = Some(3)));
    assert!(!changed(&|it| it.world.conditions.push(Condition::HopLimit(3))));
    assert!(!changed(&|it| it
        .world
        .conditions
        .push(Condition::Teaches("/dashboard".to_owned(), "200".to_owned()))));
    let cell = one.world.cells[0].clone();
    let moves = |organization: &str| WorldAction::MoveOrganization {
        organization: organization.to_owned(),
        cell: cell.clone(),
    };
    assert!(!changed(&|it| it.actions.push(Action::World(moves("my-organization")))));
    assert!(changed(&|it| it.actions.push(Action::World(moves(&format!("{}org", it.world.head))))));
    assert!(!changed(&|it| it.actions.push(Action::World(WorldAction::RestartCell(cell.clone())))));
}
