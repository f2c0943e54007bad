//! Makes a failing journey as short as it can be: first the installation, then the actions, then
//! their details. Each attempt runs a real router, so the attempts are few; proptest's shrinking
//! does not know this order.

use super::journey::Journey;
use super::world::World;
use crate::action::{Action, Flow, Person, RequestKind, Route, Visits};

/// Returns the shortest journey found. `first` returns the first of some shorter journeys that
/// fails; `None` if none does, or the time is up.
pub(super) fn shrunk(
    journey: Journey,
    mut first: impl FnMut(&[Journey]) -> Option<usize>,
) -> Journey {
    let mut best = journey;
    loop {
        let before = best.clone();
        for candidates in [worlds, fewer_actions, details] {
            // Each candidate is smaller, so this ends.
            loop {
                let mut shorter = candidates(&best);
                shorter.retain(|shorter| *shorter != best);
                let Some(index) = first(&shorter) else { break };
                best = shorter.swap_remove(index);
            }
        }
        if best == before {
            return best;
        }
    }
}

/// Journeys with a smaller installation.
fn worlds(journey: &Journey) -> Vec<Journey> {
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
    with(&|world| world.ttl_ms = None);
    with(&|world| world.max_entries = None);
    with(&|world| world.max_body = None);
    with(&|world| world.cold_places = 0);
    with(&|world| world.routers.truncate(1));
    for place in 0..world.places.len() {
        with(&|world| _ = world.places.remove(place));
    }
    for condition in 0..world.conditions.len() {
        with(&|world| _ = world.conditions.remove(condition));
    }
    for hold in 0..world.holds.len() {
        with(&|world| _ = world.holds.remove(hold));
    }
    for cell in (1..world.cells.len()).rev() {
        with(&|world| {
            let gone = world.cells.remove(cell);
            let other = world.cells[0].clone();
            for place in world.places.iter_mut().filter(|place| place.cell == gone) {
                place.cell = other.clone();
            }
            world.faults.retain(|fault| fault.cell != gone);
            world.conditions.retain(|condition| !condition.cells().contains(&&gone));
        });
    }
    found.retain(|journey| journey.is_sound());
    found
}

/// Journeys with fewer actions: halves, quarters, single ones.
fn fewer_actions(journey: &Journey) -> Vec<Journey> {
    let count = journey.actions.len();
    let mut found = Vec::new();
    let mut size = count / 2;
    while size > 0 {
        for from in (0..count).step_by(size) {
            let mut actions = journey.actions.clone();
            actions.drain(from..(from + size).min(count));
            found.push(Journey { world: journey.world.clone(), actions });
        }
        size /= 2;
    }
    found.retain(Journey::is_sound);
    found
}

/// Journeys with simpler actions.
fn details(journey: &Journey) -> Vec<Journey> {
    let mut found = Vec::new();
    for (place, action) in journey.actions.iter().enumerate() {
        for simpler in simpler(action) {
            let mut actions = journey.actions.clone();
            actions[place] = simpler;
            found.push(Journey { world: journey.world.clone(), actions });
        }
    }
    found.retain(Journey::is_sound);
    found
}

fn simpler(action: &Action) -> Vec<Action> {
    let visit = |person: &Person, target: &str| {
        let request = RequestKind::Target { target: target.to_owned() };
        Action::request(person.clone(), request, Route::Default)
    };
    let mut found = Vec::new();
    match action {
        Action::Request { person, request, route } => {
            let visitor = Person::visitor();
            if *person != visitor {
                found.push(Action::request(visitor, request.clone(), route.clone()));
            }
            if *route != Route::Default {
                found.push(Action::request(person.clone(), request.clone(), Route::Default));
            }
            match request {
                RequestKind::Target { target } => {
                    for shorter in shorter(target) {
                        let request = RequestKind::Target { target: shorter };
                        found.push(Action::request(person.clone(), request, route.clone()));
                    }
                }
                RequestKind::RandomBody { method, target, length } => {
                    found.push(visit(person, target));
                    for length in [1, length / 2].into_iter().filter(|less| less < length) {
                        let request = RequestKind::RandomBody {
                            method: method.clone(),
                            target: target.clone(),
                            length,
                        };
                        found.push(Action::request(person.clone(), request, route.clone()));
                    }
                }
                RequestKind::Method { target, .. } | RequestKind::Message { target, .. } => {
                    found.push(visit(person, target));
                }
                _ => {}
            }
        }
        Action::Visits { person, visits: Visits::ColdPrefixes { count } } if *count > 1 => {
            for count in [1, count / 2] {
                let visits = Visits::ColdPrefixes { count };
                found.push(Action::Visits { person: person.clone(), visits });
            }
        }
        Action::Together { person, target, times } => {
            found.push(visit(person, target));
            if *times > 2 {
                let (person, target) = (person.clone(), target.clone());
                found.push(Action::Together { person, target, times: 2 });
            }
        }
        Action::Begin { person, target, .. } => found.push(visit(person, target)),
        Action::Flow {
            person,
            flow: Flow::Chunked { target, .. } | Flow::Halves { target, .. },
        } => {
            found.push(visit(person, target));
        }
        _ => {}
    }
    found
}

/// Shorter targets: without the query, without the last segment.
fn shorter(target: &str) -> Vec<String> {
    let (path, query) = target.split_once('?').map_or((target, None), |(p, q)| (p, Some(q)));
    let mut found = Vec::new();
    if query.is_some() {
        found.push(path.to_owned());
    }
    if let Some((above, _)) = path.rsplit_once('/')
        && !above.is_empty()
    {
        found.push(above.to_owned());
    }
    found
}
