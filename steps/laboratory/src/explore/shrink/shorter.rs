//! Journeys that are a little shorter than another: fewer actions, a smaller installation, simpler
//! details, plainer names.

use cell_fleet::CellId;

use crate::explore::journey::Journey;
use crate::explore::world::{Condition, World};
use conformance_suite::action::{
    Action, CellGroup, Flow, Person, RequestKind, Route, Visits, WorldAction,
};

/// The ways to make a journey shorter, in the order in which they are tried: each attempt runs a
/// real router, so what takes away most comes first. Some of the results cannot be played.
pub(super) fn shorter() -> [fn(&Journey) -> Vec<Journey>; 4] {
    [fewer_actions, worlds, details, names]
}

/// Journeys in which a place has a shorter or a plainer path, with all that is said of it.
fn names(journey: &Journey) -> Vec<Journey> {
    let places = &journey.world.places;
    let mut found = Vec::new();
    for place in places {
        let above = places
            .iter()
            .filter(|above| place.path.starts_with(&format!("{}/", above.path)))
            .map(|above| above.path.as_str())
            .max_by_key(|above| above.len())
            .unwrap_or_default();
        let free = |path: &String| {
            !places.iter().any(|other| other.path == *path)
                && (path.len(), path) < (place.path.len(), &place.path)
        };
        let shorter = ["a", "b", "c", "d"].map(|name| format!("{above}/{name}"));
        if let Some(path) = shorter.into_iter().find(free) {
            found.push(renamed(journey, &place.path, &path));
        }
    }
    found
}

/// The journey with another path in place of this one, and of those below it.
fn renamed(journey: &Journey, from: &str, to: &str) -> Journey {
    let again = |path: &mut String| {
        if let Some(rest) = path.strip_prefix(from)
            && (rest.is_empty() || rest.starts_with(['/', '?']))
        {
            *path = format!("{to}{rest}");
        }
    };
    let mut journey = journey.clone();
    let world = &mut journey.world;
    for place in &mut world.places {
        again(&mut place.path);
        // A project names its group without the slash in front.
        if place.of.as_deref() == Some(from.trim_start_matches('/')) {
            place.of = Some(to.trim_start_matches('/').to_owned());
        }
    }
    for condition in &mut world.conditions {
        if let Condition::Step(step, _) = condition {
            for end in ["\"", "/", "?"] {
                *step = step.replace(&format!("\"{from}{end}"), &format!("\"{to}{end}"));
            }
        }
    }
    world.holds.iter_mut().for_each(|hold| again(&mut hold.path));
    journey.actions.iter_mut().filter_map(target_of).for_each(again);
    journey
}

pub(super) fn target_of(action: &mut Action) -> Option<&mut String> {
    match action {
        Action::Request { request, .. } | Action::Begin { request, .. } => match request {
            RequestKind::Target { target }
            | RequestKind::Visit { target }
            | RequestKind::Method { target, .. }
            | RequestKind::RandomBody { target, .. }
            | RequestKind::Message { target, .. } => Some(target),
            _ => None,
        },
        Action::Flow { flow: Flow::Halves { target, .. }, .. } => Some(target),
        _ => None,
    }
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
    found
}

fn details(journey: &Journey) -> Vec<Journey> {
    let mut found = Vec::new();
    for (place, action) in journey.actions.iter().enumerate() {
        for simpler in simpler(action) {
            let mut actions = journey.actions.clone();
            actions[place] = simpler;
            found.push(Journey { world: journey.world.clone(), actions });
        }
    }
    found
}

fn simpler(action: &Action) -> Vec<Action> {
    let mut found = Vec::new();
    if let Some(target) = target_of(&mut action.clone()) {
        let visit = RequestKind::Target { target: target.clone() };
        found.push(Action::request(Person::visitor(), visit, Route::Default));
        for shorter in shorter_targets(target) {
            let mut action = action.clone();
            target_of(&mut action).into_iter().for_each(|target| target.clone_from(&shorter));
            found.push(action);
        }
    }
    match action {
        Action::Request { person, request, route } => {
            found.push(Action::request(Person::visitor(), request.clone(), route.clone()));
            found.push(Action::request(person.clone(), request.clone(), Route::Default));
            if let RequestKind::RandomBody { method, target, length, framing } = request {
                for length in [1, length / 2].into_iter().filter(|less| less < length) {
                    let (method, target, framing) = (method.clone(), target.clone(), *framing);
                    let request = RequestKind::RandomBody { method, target, length, framing };
                    found.push(Action::request(person.clone(), request, route.clone()));
                }
            }
        }
        Action::Visits { person, visits: Visits::ColdPrefixes { count } } if *count > 1 => {
            for count in [1, count / 2] {
                let visits = Visits::ColdPrefixes { count };
                found.push(Action::Visits { person: person.clone(), visits });
            }
        }
        Action::Shared { text, pipelined } => {
            found.push(Action::Shared { text: text.clone(), pipelined: false });
            let fewer = fewer_requests(text).into_iter();
            found.extend(fewer.map(|text| Action::Shared { text, pipelined: *pipelined }));
        }
        _ => {}
    }
    found
}

/// The requests of a shared connection without one of them.
fn fewer_requests(text: &str) -> Vec<String> {
    let mut requests: Vec<String> = Vec::new();
    for line in text.trim_matches('\n').lines() {
        match requests.last_mut() {
            Some(request) if !line.contains(" sends ") => *request += &format!("\n{line}"),
            _ => requests.push(line.to_owned()),
        }
    }
    let without = |number: usize| {
        let left = requests.iter().enumerate().filter(|(other, _)| *other != number);
        let left: Vec<_> = left.map(|(_, request)| request.as_str()).collect();
        format!("\n{}\n", left.join("\n"))
    };
    if requests.len() > 1 { (0..requests.len()).map(without).collect() } else { Vec::new() }
}

/// Shorter targets: without the query, without the last segment.
fn shorter_targets(target: &str) -> Vec<String> {
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

fn worlds(journey: &Journey) -> Vec<Journey> {
    let world = &journey.world;
    let mut found = Vec::new();
    let mut with = |change: &dyn Fn(&mut World)| {
        let mut world = world.clone();
        change(&mut world);
        found.push(Journey { world, actions: journey.actions.clone() });
    };
    with(&|world| world.places.clear());
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
    for condition in &mut world.conditions {
        // The groups of the organization stay in the world, so it gets another cell.
        if let Condition::Organization(_, cell) = condition {
            again(cell);
        }
    }
    world.conditions.retain(|condition| !condition.cells().contains(&gone));
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
