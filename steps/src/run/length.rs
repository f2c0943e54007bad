//! How long a case takes at least with a correct router, roughly, so that the longest begin first.

use std::time::Duration;

use cell_fleet::Protocol;

use crate::action::{Action, WorldAction};
use crate::catalog::{BoundCase, Case};
use crate::plan::{RouterSettings, ScenarioPlan};
use crate::stage::Waits;

/// The time for a visit and for judging it.
const VISIT: Duration = Duration::from_millis(2);

/// The waits that the steps of a case state, and its visits. A case whose steps cannot be read
/// takes no time.
pub(crate) fn expected_length(case: &Case) -> Duration {
    let Ok(BoundCase { plan, actions, .. }) = case.bound() else { return Duration::ZERO };
    let actions: Duration = actions.iter().map(|(_, action)| length(action, plan)).sum();
    let settings = &plan.settings;
    // A scenario that shortens the limit for responses, or sets the one for connections, waits
    // until a router has reached it.
    let usual = RouterSettings::default();
    let waits = [
        (settings.response_timeout_ms, settings.response_timeout_ms < usual.response_timeout_ms),
        (settings.connect_timeout_ms, settings.connect_timeout_ms != usual.connect_timeout_ms),
    ];
    let timeout = waits.into_iter().filter_map(|(ms, waits)| waits.then_some(ms)).max();
    actions + Duration::from_millis(timeout.unwrap_or_default() + settings.not_found_delay_ms)
}

fn length(action: &Action, plan: &ScenarioPlan) -> Duration {
    let waits = Waits::default();
    match action {
        Action::World(WorldAction::PassTime { ms }) => Duration::from_millis(*ms),
        Action::World(WorldAction::PassTimeOfLearned)
            if plan.fleet.protocol == Protocol::Buffering =>
        {
            VISIT
        }
        Action::World(WorldAction::PassTimeToLive | WorldAction::PassTimeOfLearned) => {
            Duration::from_millis(plan.settings.ttl_ms) + waits.ttl_margin
        }
        Action::Visits { visits, .. } => visits.targets().map(|_| VISIT).sum(),
        Action::Flow { .. } => waits.still,
        _ => VISIT,
    }
}
