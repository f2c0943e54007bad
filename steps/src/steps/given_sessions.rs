//! Given steps about where the cells keep the sessions of users.

use std::time::Duration;

use cell_fleet::{SessionModel, SessionPlan};

use super::definition::{Definition, given};
use super::parameters::Number;
use crate::plan::ScenarioPlan;

/// The definitions.
pub(super) fn definitions() -> Vec<Definition> {
    let choose = |plan: &mut ScenarioPlan, model| plan.fleet.session_plan = SessionPlan::of(model);
    vec![
        given("sessions are kept in one store with replicas", move |plan: &mut ScenarioPlan| {
            choose(plan, SessionModel::Shared);
        }),
        given("sessions are kept in a store for each region", move |plan: &mut ScenarioPlan| {
            choose(plan, SessionModel::Regional);
        }),
        given("sessions are JWTs, and a list names the revoked", move |plan: &mut ScenarioPlan| {
            choose(plan, SessionModel::Jwt);
        }),
        given(
            "sessions are JWTs that live {number} s, and no list names the revoked",
            |plan: &mut ScenarioPlan, life: Number| {
                plan.fleet.session_plan = SessionPlan {
                    token_life: Duration::from_secs(life.0),
                    revocation_list: false,
                    ..SessionPlan::of(SessionModel::Jwt)
                };
            },
        ),
    ]
}
