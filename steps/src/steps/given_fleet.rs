//! Given steps about routers and their settings, and about settings of the whole fleet: distances,
//! lag, options, and how the cells keep sessions, runners and jobs, and draw ids.

use std::time::Duration;

use cell_fleet::{IdStrategy, ReplicationLag, RunnerModel, SessionModel, SessionPlan};

use super::parameters::{Cell, Number, OfRegion, Person, RegionName, Sessions, Settings};
use crate::plan::{Device, ScenarioPlan};

given!("a cold {region} router" needs ROUTER, |plan, region: RegionName| {
    if plan.routers.contains(&region.0) {
        return Err(format!("there is a router of region {} already", region.0));
    }
    plan.routers.push(region.0);
    Ok(())
});
given!("the learn endpoint is {string}", |plan, path: String| plan.settings.learn_path = path);
given!("cache entries live {number} ms", |plan, life: Number| plan.settings.ttl_ms = life.0);
given!("the cache holds about {number} entries", |plan, entries: Number| {
    plan.settings.max_entries = entries.0
});
given!("the hop limit is {number}", |plan, hops: Number| {
    plan.settings.max_hops =
        u32::try_from(hops.0).map_err(|_| "that many hops fit no topology file".to_owned())?;
    Ok(())
});
given!("the body buffer limit is {number} bytes", |plan, bytes: Number| {
    plan.settings.max_buffered_body_bytes = bytes.0
});
given!("the topology has unknown members", |plan| plan.settings.has_unknown_members = true);
given!("the second-level cache is enabled", |plan| plan.settings.cookie_cache = true);
given!("404 responses are delayed by at most {number} ms", |plan, delay: Number| {
    plan.settings.not_found_delay_ms = delay.0
});
given!("the connect timeout is {number} ms", |plan, limit: Number| {
    plan.settings.connect_timeout_ms = limit.0
});
given!("the response timeout is {number} ms", |plan, limit: Number| {
    plan.settings.response_timeout_ms = limit.0
});
given!(
    "a write from another region takes {number} ms to reach the primary",
    |plan, distance: Number| plan.fleet.write_distance = Duration::from_millis(distance.0)
);
given!("the replicas{of_region} lag until they are released", |plan, of_region: OfRegion| {
    plan.fleet.lag = ReplicationLag::UntilReleased;
    plan.fleet.lagging = of_region.0;
});
given!("older APIs are closed to members of an organization", |plan| {
    plan.fleet.older_apis_closed = true
});
given!("{person} is signed in as {person}", |plan, person: Person, user: Person| {
    plan.devices.push(Device { person: person.0, user: user.0 })
});
given!("sessions are {sessions}", |plan, sessions: Sessions| {
    plan.fleet.session_plan = SessionPlan::of(sessions.0)
});
given!(
    "sessions are JWTs that live {number} s, and no list names the revoked",
    |plan, life: Number| {
        plan.fleet.session_plan = SessionPlan {
            token_life: Duration::from_secs(life.0),
            revocation_list: false,
            ..SessionPlan::of(SessionModel::Jwt)
        };
    }
);
given!("all cells share runners", |plan| plan.fleet.runner_plan.model = RunnerModel::Shared);
given!("runners of groups and projects are not shared", |plan| {
    plan.fleet.runner_plan.group_and_project = false
});
given!("each cell has its own runners", |plan| {
    plan.fleet.runner_plan.model = RunnerModel::PerCell
});
given!("settings are {settings}", |plan, settings: Settings| {
    plan.fleet.settings_model = settings.0
});
given!("cells draw ids from ranges of {number}", |plan, size: Number| {
    choose(plan, IdStrategy::Ranges);
    plan.fleet.id_plan.range_size = size.0;
});
given!("a cell asks for its next range when {number} ids are left", |plan, left: Number| {
    plan.fleet.id_plan.refill_ahead = left.0
});
given!("ids carry the number of their cell", |plan| choose(plan, IdStrategy::CellBits));
given!("{cell} has the number {number} in ids", |plan, cell: Cell, number: Number| {
    plan.fleet.id_plan.cell_numbers.insert(cell.0, number.0);
});
given!("only top-level rows have unique ids", |plan| choose(plan, IdStrategy::SomeTables));
given!("ids that are unique on a cell begin with {number}", |plan, first: Number| {
    plan.fleet.id_plan.local_start = first.0
});
given!("rows have UUIDs beside their numbers", |plan| choose(plan, IdStrategy::Uuid));
given!("numbers lead to no row any more", |plan| plan.fleet.id_plan.keeps_numbers = false);

fn choose(plan: &mut ScenarioPlan, strategy: IdStrategy) {
    plan.fleet.id_plan.strategy = strategy;
}
