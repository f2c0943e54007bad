//! Given steps about where the cells keep the sessions of users.

use std::time::Duration;

use cell_fleet::{SessionModel, SessionPlan};
use cucumber::given;

use super::meaning::Meaning;
use super::parameters::Number;
use crate::plan::ScenarioPlan;

#[given(expr = "sessions are kept in one store with replicas")]
fn sessions_are_kept_one_store_replicas(step: &mut Meaning) {
    step.condition(move |plan| choose(plan, SessionModel::Shared));
}

#[given(expr = "sessions are kept in a store for each region")]
fn sessions_are_kept_store_for_region(step: &mut Meaning) {
    step.condition(move |plan| choose(plan, SessionModel::Regional));
}

#[given(expr = "sessions are JWTs, and a list names the revoked")]
fn sessions_are_jwts_and_list_names_revoked(step: &mut Meaning) {
    step.condition(move |plan| choose(plan, SessionModel::Jwt));
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

fn choose(plan: &mut ScenarioPlan, model: SessionModel) {
    plan.fleet.session_plan = SessionPlan::of(model);
}
