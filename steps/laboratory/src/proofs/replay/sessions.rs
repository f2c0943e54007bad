//! The model of sessions against the cells: after each step, the user's cookie and the copy are used
//! in both regions.

use std::collections::BTreeSet;
use std::time::Duration;

use cell_fleet::{CellId, FleetPlan, Protocol, Region, ReplicationLag, SessionModel, SessionPlan};

use super::cells::Cells;
use super::{Walk, Walks};
use crate::proofs::sessions::{End, Form, From, Sessions, State, Step};

const LIFE: Duration = Duration::from_secs(60);
/// Half of a life, and more: a clock of the cells that is read often runs ahead of the machine's.
const TICK: Duration = Duration::from_secs(31);

/// One request of the user ends the session, in both lists: nothing comes in between. What a model
/// does there is the model's alone.
fn joined(_: &State, step: &Step, next: Option<&Step>) -> bool {
    matches!(step, Step::Begin) && next.is_none_or(|next| matches!(next, Step::End))
}

fn plan(form: Form, lags: [bool; 2]) -> FleetPlan {
    let (model, revocation_list) = match form {
        Form::Shared => (SessionModel::Shared, true),
        Form::Regional => (SessionModel::Regional, true),
        Form::JwtWithList { same_id: false } => (SessionModel::Jwt, true),
        Form::Jwt => (SessionModel::Jwt, false),
        Form::JwtWithList { same_id: true } => panic!("no cell renews a JWT so"),
    };
    let lagging = match lags {
        [false, true] => Some(Region::eu()),
        [true, false] => Some(Region::us()),
        [true, true] | [false, false] => None,
    };
    let session_plan = SessionPlan { model, revocation_list, token_life: LIFE };
    FleetPlan { session_plan, lagging, ..FleetPlan::documents(Protocol::Buffering) }
}

const PLACES: [fn() -> CellId; 2] = [|| CellId::us(1), || CellId::eu(0)];

struct Real {
    cells: Cells,
    cookies: [String; 2],
}

impl Real {
    /// The user signs in in a region, the other one does in the other region or has a copy of the
    /// cookie, and then replicas begin to lag.
    async fn begin(model: &Sessions, state: &State, region: usize) -> Self {
        let cells = Cells::start(plan(model.form, state.lags)).await;
        let sign_in = async |region: usize| {
            let form = "username=anna&password=anna-password";
            let signed_in = cells.ask(&PLACES[region](), "/users/sign_in", "", Some(form)).await;
            signed_in.session.expect("anna signs in")
        };
        let session = sign_in(region).await;
        let other = match model.end {
            End::NewPassword { copied: false } => sign_in(1 - region).await,
            End::NewPassword { copied: true } | End::SignOut => session.clone(),
        };
        if state.lags != [false; 2] {
            cells.fleet.set_replication_lag(ReplicationLag::UntilReleased).await.unwrap();
        }
        Self { cells, cookies: [session, other] }
    }

    /// Uses a cookie in a region: whether it counts, and what it is renewed by.
    async fn used(&self, copy: bool, region: usize) -> (bool, Option<String>) {
        let cookie = &self.cookies[usize::from(copy)];
        let response = self.cells.ask(&PLACES[region](), "/", cookie, None).await;
        assert_eq!(response.status, 302, "{}", response.body);
        let counts = match response.location.as_str() {
            "/organizations/my-organization/-/dashboard" => true,
            "/users/sign_in?redirect=/" => false,
            other => panic!("{other}"),
        };
        (counts, response.session.filter(|_| counts))
    }

    async fn step(&mut self, end: End, step: &Step) {
        match *step {
            Step::Use { copy, region } => {
                if let (_, Some(renewed)) = self.used(copy, region).await {
                    self.cookies[usize::from(copy)] = renewed;
                }
            }
            Step::Begin => {
                let (page, form) = match end {
                    End::SignOut => ("/users/sign_out", ""),
                    End::NewPassword { .. } => (
                        "/-/user_settings/password",
                        "current_password=anna-password&password=another",
                    ),
                };
                let cell = PLACES[0]();
                let asked = self.cells.ask(&cell, page, &self.cookies[0], Some(form)).await;
                assert_eq!(asked.status, 302, "{page}");
            }
            // The response to the same request.
            Step::End => {}
            Step::Release => self.cells.release().await,
            Step::Tick => self.cells.fleet.installation().advance_clock(TICK),
        }
    }
}

/// The steps that are told where cells and model differ.
fn told(walk: &Walk<Sessions>, model: &Sessions, after: usize) -> String {
    let steps = walk.steps[..after].iter().map(|(step, _)| model.words(*step));
    format!("{model:?}, lag {:?}: {}", walk.beginning.lags, steps.collect::<Vec<_>>().join("; "))
}

async fn replay(model: &Sessions, walk: &Walk<Sessions>, at: usize) {
    let mut real = Real::begin(model, &walk.beginning, at).await;
    for (number, (step, state)) in walk.steps.iter().enumerate() {
        real.step(model.end, step).await;
        if joined(state, step, None) {
            continue;
        }
        // A use alone changes no store, so each is tried.
        for (copy, region) in [(true, 0), (true, 1), (false, 0), (false, 1)] {
            // Who has ended the session has another cookie, or none.
            if !copy && state.stored {
                continue;
            }
            let (counts, renewed) = real.used(copy, region).await;
            let says = || told(walk, model, number + 1);
            assert_eq!(
                counts,
                model.accepts(state, copy, region),
                "copy {copy}, {region}, {}",
                says()
            );
            let renews = counts && model.renews(state, copy, region);
            assert_eq!(renewed.is_some(), renews, "renewed, copy {copy}, {region}, {}", says());
        }
    }
    real.cells.fleet.stop().await.unwrap();
}

/// All that cells do within four steps; what is asked after them is the fifth.
async fn replay_all(form: Form) {
    let most = 4;
    let changes = [true, false].map(|copied| End::NewPassword { copied });
    for end in [End::SignOut].into_iter().chain(changes) {
        let model = Sessions { form, end, from: From::TheEnd, lagging: true };
        let walks = Walks { model: &model, most, can: |_, _| true, joined };
        let all = walks.longest();
        let steps = all.iter().flat_map(|walk| &walk.steps);
        let kinds: BTreeSet<_> = steps.map(|(step, _)| format!("{step:?}")).collect();
        assert_eq!(kinds.len(), 8, "{kinds:?}");
        for (number, walk) in all.iter().enumerate() {
            // Every second one signs in abroad.
            replay(&model, walk, number % 2).await;
        }
    }
}

#[tokio::test]
async fn cells_with_one_store_do_what_the_model_does() {
    replay_all(Form::Shared).await;
}

#[tokio::test]
async fn cells_with_a_store_for_each_region_do_what_the_model_does() {
    replay_all(Form::Regional).await;
}

#[tokio::test]
async fn cells_with_jwts_and_a_list_do_what_the_model_does() {
    replay_all(Form::JwtWithList { same_id: false }).await;
}

#[tokio::test]
async fn cells_with_jwts_alone_do_what_the_model_does() {
    replay_all(Form::Jwt).await;
}
