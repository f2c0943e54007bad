//! Journeys that share a fleet and a router for each region: they are played one after another, and
//! none begins before the one before it is over.
//!
//! A batch is a journey itself: its installation has what each of them needs, and between them
//! stands the end of everything that is open. So the model judges a router by its whole life: what
//! one journey taught about a page of the application holds in the next, and everything that was
//! taught counts where the cache may be full.

use super::journey::Journey;
use super::world::Condition;
use conformance_suite::action::{Action, RequestKind, WorldAction};

/// Whether others can share the router of a journey: it changes nothing but what is below names of
/// its own, and nothing is down, broken, late, old, limited or restarted in it.
pub(super) fn can_share(journey: &Journey) -> bool {
    let world = &journey.world;
    let is_own = |name: &str| name.trim_start_matches('/').starts_with(&world.head);
    let is_plain = |condition: &Condition| match condition {
        Condition::Organization(name, _) | Condition::Apart(name, _) => is_own(name),
        Condition::Member(_, name) => is_own(name),
        Condition::Bounce(_, path, _)
        | Condition::Slow(_, path, _)
        | Condition::Responds(_, path, _)
        | Condition::Teaches(path, _)
        | Condition::Sets(_, path, _) => is_own(path),
        Condition::HopLimit(_)
        | Condition::PrintedId(_)
        | Condition::Lag(_)
        | Condition::Older(_)
        | Condition::Does(..)
        | Condition::Endpoint(..) => false,
    };
    let keeps = |action: &Action| match action {
        // Forms need a person without a session, and their pages tell who has one.
        Action::Request { request: RequestKind::SignIn | RequestKind::SignOut, .. } => false,
        Action::World(action) => match action {
            WorldAction::Release
            | WorldAction::ReleaseHeld { .. }
            | WorldAction::Quiet
            | WorldAction::CreateNamespace { .. }
            | WorldAction::CreateProject { .. }
            | WorldAction::RenameNamespace { .. } => true,
            WorldAction::MoveOrganization { organization, .. } => is_own(organization),
            _ => false,
        },
        _ => true,
    };
    !world.head.is_empty()
        && (world.ttl_ms, world.max_entries, world.max_body) == (None, None, None)
        && (world.cold_places, world.faults.len()) == (0, 0)
        && world.holds.iter().all(|hold| is_own(&hold.path))
        && world.places.iter().all(|place| is_own(&place.path))
        && world.conditions.iter().all(is_plain)
        && journey.actions.iter().all(keeps)
}

/// Whether two journeys can share a router: their cells and routers are the same, and none of their
/// names.
pub(super) fn fit(one: &Journey, other: &Journey) -> bool {
    let (one, other) = (&one.world, &other.world);
    (one.protocol, &one.cells, &one.routers) == (other.protocol, &other.cells, &other.routers)
        && one.head != other.head
}

/// The journeys as one; nothing if there are none.
pub(super) fn joined<'j>(journeys: impl IntoIterator<Item = &'j Journey>) -> Option<Journey> {
    journeys.into_iter().fold(None, |before: Option<Journey>, journey| {
        let actions = journey.actions.iter().flat_map(|action| released(action, journey));
        let Some(mut all) = before else {
            let (world, actions) = (journey.world.clone(), actions.collect());
            return Some(Journey { world, actions });
        };
        let (world, more) = (&mut all.world, journey.world.clone());
        world.places.extend(more.places);
        world.holds.extend(more.holds);
        world.conditions.extend(more.conditions);
        for name in more.signed_in {
            if !world.signed_in.contains(&name) {
                world.signed_in.push(name);
            }
        }
        all.actions.push(Action::World(WorldAction::Quiet));
        all.actions.extend(actions);
        Some(all)
    })
}

/// An action of a joined journey: it releases what its own journey holds, and not what others will.
fn released(action: &Action, journey: &Journey) -> Vec<Action> {
    match action {
        Action::World(WorldAction::Release) => {
            let paths = journey.world.holds.iter().map(|hold| hold.path.clone());
            paths.map(|path| Action::World(WorldAction::ReleaseHeld { path })).collect()
        }
        other => vec![other.clone()],
    }
}

/// How many actions a journey has among joined ones.
pub(super) fn length(journey: &Journey) -> usize {
    journey.actions.iter().map(|action| released(action, journey).len()).sum()
}

/// In which of some joined journeys each action is, by the number of their actions. What ends a
/// journey belongs to it.
pub(super) fn journey_of(lengths: &[usize], action: usize) -> usize {
    let mut end = 0;
    let mut ends = lengths.iter().map(|length| {
        end += length + 1;
        end
    });
    ends.position(|end| action < end).unwrap_or(lengths.len().saturating_sub(1))
}

#[cfg(test)]
mod tests;
