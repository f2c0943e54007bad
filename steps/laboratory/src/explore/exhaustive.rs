//! Every journey up to a length, in one small world, in a fixed order and without chance.
//!
//! The world has what the documents' rules turn on: two regions with a router each, three cells,
//! two organizations whose paths nest, and an exact route inside them. The actions are a dozen.
//! Each is short and is sound in every order, so that the number of journeys is known beforehand.

use cell_fleet::{CellId, Protocol, Region};

use super::journey::Journey;
use super::world::{PlaceKind, PlannedPlace, World};
use conformance_suite::action::{
    Action, CellGroup, Person, RequestKind, Route, RouterAction, WorldAction,
};

/// The organization that moves. The fleet knows it; `/my-company` is its namespace.
const ORGANIZATION: &str = "my-organization";
/// The time to live of an entry, in milliseconds: short, since many journeys wait for its end.
const TTL_MS: u64 = 100;
/// How many actions there are.
const ACTIONS: u64 = 12;
/// The longest journeys that a person may ask for: 12^6 of them are three million.
pub const MOST_DEPTH: usize = 6;

/// How many journeys there are up to this length, the empty one among them.
pub fn count(depth: usize) -> u64 {
    (0..=depth as u32).map(|length| ACTIONS.saturating_pow(length)).fold(0, u64::saturating_add)
}

/// The journey with this number, counted from 1: the empty one, then those of one action, then
/// those of two, each in the order of the actions.
pub(super) fn journey(protocol: Protocol, number: u64) -> Journey {
    let mut left = number.saturating_sub(1);
    let mut length = 0;
    while left >= ACTIONS.saturating_pow(length) {
        left -= ACTIONS.saturating_pow(length);
        length += 1;
    }
    let all = actions();
    let mut chosen: Vec<_> = (0..length)
        .map(|place| all[(left / ACTIONS.pow(place) % ACTIONS) as usize].clone())
        .collect();
    chosen.reverse();
    Journey { world: world(protocol), actions: chosen }
}

/// The world: the router that people use stands in the region of one cell, so that even a cold one
/// has no choice.
fn world(protocol: Protocol) -> World {
    let place = |path: &str, kind| PlannedPlace::new(path.to_owned(), CellId::us(1), kind);
    let cells = vec![CellId::us(0), CellId::us(1), CellId::eu(0)];
    World {
        places: vec![
            place("/my-company/inner", PlaceKind::Public),
            place("/my-company/exact", PlaceKind::Exact),
        ],
        ttl_ms: Some(TTL_MS),
        ..World::new(protocol, cells, vec![Region::eu(), Region::us()])
    }
}

/// The dozen.
fn actions() -> [Action; ACTIONS as usize] {
    let send = |request, route| Action::request(Person::visitor(), request, route);
    let visit =
        |target: &str| send(RequestKind::Target { target: target.to_owned() }, Route::Default);
    let outer = "/my-company/handbook";
    let post =
        RequestKind::RandomBody { method: "POST".to_owned(), target: outer.to_owned(), length: 9 };
    let elsewhere = RequestKind::Target { target: outer.to_owned() };
    [
        // The organization, on eu0 until it moves, and what lies inside its path on another cell.
        visit(outer),
        visit("/my-company/inner/page"),
        visit("/my-company/exact"),
        // An exact route covers nothing below it.
        visit("/my-company/exact/below"),
        send(post, Route::Default),
        visit("/nobody-owns-this"),
        send(elsewhere, Route::Router(Region::us())),
        Action::World(WorldAction::MoveOrganization {
            organization: ORGANIZATION.to_owned(),
            cell: CellId::us(0),
        }),
        Action::World(WorldAction::PassTimeToLive),
        // The first owner of the organization, and the cell that a cold router asks.
        Action::World(WorldAction::TakeDown(CellGroup::Cell(CellId::eu(0)))),
        Action::World(WorldAction::BringBack(CellGroup::Cell(CellId::eu(0)))),
        Action::World(WorldAction::Router { region: Region::eu(), action: RouterAction::Restart }),
    ]
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Seven requests, then what changes the world; by their places in the dozen.
    fn of(number: u64) -> Vec<usize> {
        let all = actions();
        let place = |action: &Action| all.iter().position(|one| one == action).unwrap();
        journey(Protocol::Learning, number).actions.iter().map(place).collect()
    }

    #[test]
    fn the_order_is_fixed() {
        assert_eq!(of(1), [0; 0]);
        assert_eq!(of(2), [0]);
        assert_eq!(of(13), [11]);
        assert_eq!(of(14), [0, 0]);
        assert_eq!(of(15), [0, 1]);
        assert_eq!(of(157), [11, 11]);
        assert_eq!(of(158), [0, 0, 0]);
        assert_eq!(of(1_885), [11, 11, 11]);
    }

    #[test]
    fn every_journey_comes_once_and_the_count_is_known_before() {
        let counts: Vec<_> = (0..=3).map(count).collect();
        assert_eq!(counts, [1, 13, 157, 1_885]);
        let all: BTreeSet<_> = (1..=count(3)).map(of).collect();
        assert_eq!(all.len(), 1_885);
        assert!(all.iter().all(|actions| actions.len() <= 3));
    }

    #[test]
    fn every_journey_is_sound_and_loads_as_a_case() {
        for protocol in Protocol::ALL {
            for number in 1..=count(2) {
                let journey = journey(protocol, number);
                assert!(journey.actions.is_empty() || journey.is_sound(), "{number}");
                let case = journey.as_case("a journey is permitted", "RT-08").unwrap();
                conformance_suite::run::planned_for(&case).unwrap();
            }
        }
    }

    #[test]
    fn a_depth_without_end_is_no_overflow() {
        assert_eq!(count(usize::try_from(u32::MAX).unwrap().min(100)), u64::MAX);
    }
}
