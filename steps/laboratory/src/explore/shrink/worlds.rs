//! Journeys with a smaller installation.

use cell_fleet::CellId;

use crate::explore::journey::Journey;
use crate::explore::world::{Condition, World};
use conformance_suite::action::{Action, CellGroup, Route, WorldAction};

/// Journeys with a smaller installation.
pub(super) fn worlds(journey: &Journey) -> Vec<Journey> {
    let world = &journey.world;
    let mut found = Vec::new();
    let mut with = |change: &dyn Fn(&mut World)| {
        let mut world = world.clone();
        change(&mut world);
        found.push(Journey { world, actions: journey.actions.clone() });
    };
    with(&|world| world.places.clear());
    with(&|world| world.faults.clear());
    with(&|world| world.signed_in.clear());
    with(&|world| world.conditions.clear());
    // The suite's own lifetime is longer than anybody waits.
    let expires = |action| matches!(action, &Action::World(WorldAction::PassTimeToLive));
    if !journey.actions.iter().any(expires) {
        with(&|world| world.ttl_ms = None);
    }
    with(&|world| world.max_entries = None);
    with(&|world| world.max_body = None);
    with(&|world| world.cold_places = 0);
    for router in (0..world.routers.len()).rev() {
        with(&|world| _ = world.routers.remove(router));
    }
    for place in 0..world.places.len() {
        with(&|world| _ = world.places.remove(place));
    }
    for hold in 0..world.holds.len() {
        with(&|world| _ = world.holds.remove(hold));
    }
    for condition in 0..world.conditions.len() {
        with(&|world| _ = world.conditions.remove(condition));
    }
    found.extend((1..world.cells.len()).rev().map(|cell| without_cell(journey, cell)));
    found.retain(|journey| journey.is_sound());
    found
}

/// The journey with the first cell in place of this one, and without its region if no other cell
/// is in it.
fn without_cell(journey: &Journey, cell: usize) -> Journey {
    let Journey { mut world, mut actions } = journey.clone();
    let gone = world.cells.remove(cell);
    let first = world.cells[0].clone();
    let again = |cell: &mut CellId| {
        if *cell == gone {
            *cell = first.clone();
        }
    };
    world.places.iter_mut().for_each(|place| again(&mut place.cell));
    world.faults.retain(|fault| fault.cell != gone);
    for condition in &mut world.conditions {
        // The groups of the organization stay in the world, so it gets another cell.
        if let Condition::Organization(_, cell) = condition {
            again(cell);
        }
    }
    world.conditions.retain(|condition| !condition.cells().contains(&&gone));
    let region = gone.region();
    let is_empty = world.cells.iter().all(|cell| cell.region() != region);
    if is_empty {
        world.routers.retain(|router| router != region);
        if world.routers.is_empty() {
            world.routers.push(first.region().clone());
        }
    }
    for action in &mut actions {
        match action {
            Action::Request { route, .. }
                if is_empty && *route == Route::Router(region.clone()) =>
            {
                *route = Route::Default;
            }
            Action::World(
                WorldAction::TakeDown(CellGroup::Cell(cell))
                | WorldAction::BringBack(CellGroup::Cell(cell))
                | WorldAction::RestartCell(cell)
                | WorldAction::MoveOrganization { cell, .. },
            ) => again(cell),
            Action::World(WorldAction::Router { region: router, .. })
                if is_empty && router == region =>
            {
                *router = world.routers[0].clone();
            }
            _ => {}
        }
    }
    Journey { world, actions }
}
