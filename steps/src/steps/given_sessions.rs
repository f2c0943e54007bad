//! Given steps about where the cells keep the sessions of users.

use std::time::Duration;

use cell_fleet::{SessionModel, SessionPlan};
use cucumber::given;

use super::meaning::Meaning;
use super::parameters::{Number, Sessions};

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
