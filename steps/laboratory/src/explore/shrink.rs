//! Makes a failing journey as short as it can be: first the actions, then the installation, then
//! their details. Each attempt runs a real router, so the attempts are few; proptest's shrinking
//! does not know this order.

mod worlds;

use super::journey::Journey;
use super::raw;
use conformance_suite::action::{Action, Flow, Person, RequestKind, Route, Visits};
use worlds::worlds;

/// Returns the shortest journey found. `first` returns the first of some shorter journeys that
/// fails; `None` if none does, or the time is up.
pub(super) fn shrunk(
    journey: Journey,
    mut first: impl FnMut(&[Journey]) -> Option<usize>,
) -> Journey {
    let mut best = journey;
    loop {
        let before = best.clone();
        for candidates in [fewer_actions, worlds, details, names] {
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
    found.retain(Journey::is_sound);
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
    world.faults.iter_mut().for_each(|fault| again(&mut fault.path));
    world.holds.iter_mut().for_each(|hold| again(&mut hold.path));
    journey.actions.iter_mut().filter_map(target_of).for_each(again);
    journey
}

/// The target of an action that has one.
fn target_of(action: &mut Action) -> Option<&mut String> {
    match action {
        Action::Request {
            request:
                RequestKind::Target { target }
                | RequestKind::Method { target, .. }
                | RequestKind::RandomBody { target, .. }
                | RequestKind::Message { target, .. },
            ..
        }
        | Action::Flow {
            flow:
                Flow::Chunked { target, .. }
                | Flow::Halves { target, .. }
                | Flow::AfterContinue { target, .. },
            ..
        }
        | Action::Together { target, .. }
        | Action::Begin { target, .. }
        | Action::BeginMany { target, .. } => Some(target),
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
        Action::Shared { text, pipelined } => {
            if *pipelined {
                found.push(Action::Shared { text: text.clone(), pipelined: false });
            }
            let fewer = raw::fewer_requests(text).into_iter();
            found.extend(fewer.map(|text| Action::Shared { text, pipelined: *pipelined }));
        }
        Action::Together { person, target, times } => {
            found.push(visit(person, target));
            if *times > 2 {
                let (person, target) = (person.clone(), target.clone());
                found.push(Action::Together { person, target, times: 2 });
            }
        }
        Action::Begin { person, target, .. } | Action::BeginMany { person, target, .. } => {
            found.push(visit(person, target))
        }
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

#[cfg(test)]
mod tests {
    use cell_fleet::Protocol;

    use super::*;
    use crate::explore::generate::journey;
    use conformance_suite::action::WorldAction;

    /// Shortens a journey for which this holds, and counts the attempts.
    fn attempts(journey: Journey, fails: impl Fn(&Journey) -> bool) -> (Journey, usize) {
        assert!(fails(&journey));
        let mut attempts = 0;
        let shortest = shrunk(journey, |candidates| {
            candidates.iter().position(|candidate| {
                attempts += 1;
                assert!(candidate.is_sound(), "{candidate:?}");
                fails(candidate)
            })
        });
        (shortest, attempts)
    }

    fn moves(journey: &Journey) -> usize {
        let is_move = |action: &&Action| {
            matches!(action, Action::World(WorldAction::MoveOrganization { .. }))
        };
        journey.actions.iter().filter(is_move).count()
    }

    /// Journeys of many kinds.
    fn drawn() -> impl Iterator<Item = Journey> {
        (0..400).map(|seed| journey(Protocol::ALL[seed as usize % 2], seed))
    }

    #[test]
    fn what_does_not_matter_goes() {
        let mut count = 0;
        for journey in drawn().filter(|journey| moves(journey) > 0) {
            let (shortest, attempts) = attempts(journey, |journey| moves(journey) > 0);
            assert_eq!(shortest.actions.len(), 1, "{shortest:?}");
            let world = &shortest.world;
            assert_eq!((world.cells.len(), world.routers.len()), (1, 1), "{world:?}");
            assert!(world.places.is_empty() && world.signed_in.is_empty(), "{world:?}");
            assert!(attempts < 400, "{attempts}");
            count += 1;
        }
        assert!(count > 20, "{count}");
    }

    #[test]
    fn places_that_matter_get_plain_names() {
        let target = |journey: &Journey| {
            journey.actions.clone().iter_mut().filter_map(target_of).map(|it| it.clone()).find(
                |target| {
                    let places = &journey.world.places;
                    places.iter().any(|place| *target == format!("{}/-/issues", place.path))
                },
            )
        };
        let mut count = 0;
        for journey in drawn().filter(|journey| target(journey).is_some()) {
            let (shortest, _) = attempts(journey, |journey| target(journey).is_some());
            // A project needs its group.
            let depth = shortest.world.places.iter().map(|place| place.path.matches('/').count());
            let plain = format!("{}/-/issues", "/a".repeat(depth.max().unwrap_or(1)));
            assert_eq!(target(&shortest).unwrap().len(), plain.len(), "{shortest:?}");
            assert_eq!(shortest.actions.len(), 1, "{shortest:?}");
            count += 1;
        }
        assert!(count > 20, "{count}");
    }

    #[test]
    fn a_journey_that_is_as_short_as_it_can_be_stays() {
        for journey in drawn().take(50) {
            assert_eq!(shrunk(journey.clone(), |_| None), journey);
        }
    }
}
