//! Given steps about settings of the whole fleet: distances, lag, options, and how the cells keep
//! sessions, runners and jobs, and draw ids.

use std::time::Duration;

use cell_fleet::{IdStrategy, ReplicationLag, RunnerModel, SessionModel, SessionPlan};
use cucumber::given;

use super::meaning::Meaning;
use super::parameters::{Cell, Number, OfRegion, Person, Sessions, Settings};
use crate::plan::{Device, ScenarioPlan};

#[given(expr = "a write from another region takes {number} ms to reach the primary")]
fn write_from_another_region_takes_ms_reach_primary(step: &mut Meaning, distance: Number) {
    step.condition(move |plan| plan.fleet.write_distance = Duration::from_millis(distance.0));
}

#[given(expr = "the replicas{of_region} lag until they are released")]
fn replicas_lag_until_they_are_released(step: &mut Meaning, of_region: OfRegion) {
    step.condition(move |plan| {
        plan.fleet.lag = ReplicationLag::UntilReleased;
        plan.fleet.lagging = of_region.0;
    });
}

#[given(expr = "older APIs are closed to members of an organization")]
fn older_apis_are_closed_members_organization(step: &mut Meaning) {
    step.condition(move |plan| plan.fleet.older_apis_closed = true);
}

#[given(expr = "{person} is signed in as {person}")]
fn is_signed_in_as(step: &mut Meaning, person: Person, user: Person) {
    step.condition(move |plan| plan.devices.push(Device { person: person.0, user: user.0 }));
}

#[given(expr = "sessions are {sessions}")]
fn sessions_are(step: &mut Meaning, sessions: Sessions) {
    step.condition(move |plan| plan.fleet.session_plan = SessionPlan::of(sessions.0));
}

#[given(expr = "sessions are JWTs that live {number} s, and no list names the revoked")]
fn sessions_are_jwts_live_s_and_no_list(step: &mut Meaning, life: Number) {
    step.condition(move |plan| {
        plan.fleet.session_plan = SessionPlan {
            token_life: Duration::from_secs(life.0),
            revocation_list: false,
            ..SessionPlan::of(SessionModel::Jwt)
        };
    });
}

#[given(expr = "all cells share runners")]
fn all_cells_share_runners(step: &mut Meaning) {
    step.condition(move |plan| plan.fleet.runner_plan.model = RunnerModel::Shared);
}

#[given(expr = "runners of groups and projects are not shared")]
fn runners_groups_and_projects_are_not_shared(step: &mut Meaning) {
    step.condition(move |plan| plan.fleet.runner_plan.group_and_project = false);
}

#[given(expr = "each cell has its own runners")]
fn each_cell_has_its_own_runners(step: &mut Meaning) {
    step.condition(move |plan| plan.fleet.runner_plan.model = RunnerModel::PerCell);
}

#[given(expr = "settings are {settings}")]
fn settings_are(step: &mut Meaning, settings: Settings) {
    step.condition(move |plan| plan.fleet.settings_model = settings.0);
}

#[given(expr = "cells draw ids from ranges of {number}")]
fn cells_draw_ids_from_ranges_of(step: &mut Meaning, size: Number) {
    step.condition(move |plan| {
        choose(plan, IdStrategy::Ranges);
        plan.fleet.id_plan.range_size = size.0;
    });
}

#[given(expr = "a cell asks for its next range when {number} ids are left")]
fn cell_asks_for_next_range_when_ids_are(step: &mut Meaning, left: Number) {
    step.condition(move |plan| plan.fleet.id_plan.refill_ahead = left.0);
}

#[given(expr = "ids carry the number of their cell")]
fn ids_carry_the_number_of_their_cell(step: &mut Meaning) {
    step.condition(move |plan| choose(plan, IdStrategy::CellBits));
}

#[given(expr = "{cell} has the number {number} in ids")]
fn has_the_number_in_ids(step: &mut Meaning, cell: Cell, number: Number) {
    step.condition(move |plan| {
        plan.fleet.id_plan.cell_numbers.insert(cell.0, number.0);
    });
}

#[given(expr = "only top-level rows have unique ids")]
fn only_top_level_rows_have_unique_ids(step: &mut Meaning) {
    step.condition(move |plan| choose(plan, IdStrategy::SomeTables));
}

#[given(expr = "ids that are unique on a cell begin with {number}")]
fn ids_that_are_unique_on_a_cell_begin(step: &mut Meaning, first: Number) {
    step.condition(move |plan| plan.fleet.id_plan.local_start = first.0);
}

#[given(expr = "rows have UUIDs beside their numbers")]
fn rows_have_uuids_beside_their_numbers(step: &mut Meaning) {
    step.condition(move |plan| choose(plan, IdStrategy::Uuid));
}

#[given(expr = "numbers lead to no row any more")]
fn numbers_lead_to_no_row_any_more(step: &mut Meaning) {
    step.condition(move |plan| plan.fleet.id_plan.keeps_numbers = false);
}

fn choose(plan: &mut ScenarioPlan, strategy: IdStrategy) {
    plan.fleet.id_plan.strategy = strategy;
}
