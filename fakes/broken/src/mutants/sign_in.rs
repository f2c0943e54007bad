//! Sessions, tokens and sign-in.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use axum::http::HeaderValue;
use axum::http::header::{LOCATION, SET_COOKIE};
use axum::response::Response;
use cell_fleet::inside::{
    Asked, Call, Cell, CorrectParts, Endpoint, Owner, PageResult, Parts, RouteDecision, RowPage,
    StoreError, Viewer, Visit, token,
};
use cell_fleet::store::Change;
use cell_fleet::{CellId, SESSION_COOKIE};

use crate::home::is_at_home;
use crate::keepers::Keepers;
use crate::mutant::mutants;
use crate::ways::{Decides, Serves, with_form};

mutants! {
    SessionKnownAtHome: Both, "RT-13",
        "a session is valid only on the cell of its user's default organization"
            => KnownAtHome { by_token: false };
    SessionStorePerCell: Both, "LG-05",
        "a session is valid only on the cell that its user signed in on"
            => SessionStorePerCell::default();
    AdoptsSessions: Both, "SE-01",
        "a cell creates its own session for each session that it receives" => AdoptsSessions;
    SignOutOnlyHere: Both, "SE-05",
        "sign-out ends the session only on the cell that receives it" => SignOutOnlyHere::default();
    TokenKnownAtHome: Both, "DB-01",
        "a token is valid only on the cell of its user's default organization"
            => KnownAtHome { by_token: true };
    CredentialsCheckedAtHome: Both, "DB-01",
        "name and password are accepted only on the cell of the user's default organization"
            => CredentialsCheckedAtHome;
    SignInOnTheLegacyCellOnly: Buffering, "BF-13",
        "only Cell US0 serves sign-in; the others redirect to it" => Decides(on_the_legacy_cell);
    SignInSetsAnotherCookie: Both, "LG-03",
        "sign-in sets a cookie with a name that no cell reads, so that its user stays signed out"
            => Serves(another_cookie);
    SignInLeadsToTheRoot: Both, "LG-02",
        "sign-in always leads to `/`, whatever page its user came from" => Serves(to_the_root);
}

const SIGN_IN: &str = "/users/sign_in";
const SIGN_UP: &str = "/users/sign_up";
pub(super) const SIGN_OUT: &str = "/users/sign_out";

/// Knows users by their sessions, or by their tokens, on their own cells alone.
#[derive(Debug)]
struct KnownAtHome {
    by_token: bool,
}

#[async_trait]
impl Parts for KnownAtHome {
    async fn viewer(&self, cell: &Cell, visit: &Visit) -> Result<Viewer, StoreError> {
        let viewer = CorrectParts.viewer(cell, visit).await?;
        let Some(user) = &viewer.user else { return Ok(viewer) };
        let is_known = viewer.session.is_none() != self.by_token || is_at_home(cell, user).await?;
        Ok(if is_known { viewer } else { Viewer::default() })
    }
}

#[derive(Debug, Default)]
struct SessionStorePerCell(Keepers);

#[async_trait]
impl Parts for SessionStorePerCell {
    async fn viewer(&self, cell: &Cell, visit: &Visit) -> Result<Viewer, StoreError> {
        let viewer = CorrectParts.viewer(cell, visit).await?;
        let session = viewer.session.as_deref().unwrap_or_default();
        Ok(if self.0.is_elsewhere(session, &cell.node) { Viewer::default() } else { viewer })
    }

    async fn page(&self, call: Call, page: RowPage) -> PageResult {
        let node = call.cell.node.clone();
        let response = page.run(call).await;
        if let Some(session) = set_by(&response) {
            self.0.keep(session, &node);
        }
        Ok(response)
    }
}

/// The session that a response sets, if it sets one.
fn set_by(response: &Response) -> Option<&str> {
    let cookie = response.headers().get(SET_COOKIE)?.to_str().ok()?;
    let (name, value) = cookie.split(';').next()?.split_once('=')?;
    (name == SESSION_COOKIE && !value.is_empty()).then_some(value)
}

#[derive(Debug)]
struct AdoptsSessions;

#[async_trait]
impl Parts for AdoptsSessions {
    async fn viewer(&self, cell: &Cell, visit: &Visit) -> Result<Viewer, StoreError> {
        let viewer = CorrectParts.viewer(cell, visit).await?;
        if let Some(user) = &viewer.user {
            let session = token::new_token();
            // A random value of 128 bits is never taken.
            let _ = cell
                .database
                .write(Change::AddSession { session, user: user.name.clone() })
                .await?;
        }
        Ok(viewer)
    }
}

/// The sessions that were ended on each cell.
#[derive(Debug, Default)]
struct SignOutOnlyHere(Mutex<BTreeSet<(CellId, String)>>);

impl SignOutOnlyHere {
    fn ended<T>(&self, access: impl FnOnce(&mut BTreeSet<(CellId, String)>) -> T) -> T {
        // Each access is one insertion at most, so they are whole even after a panic.
        access(&mut self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner()))
    }
}

#[async_trait]
impl Parts for SignOutOnlyHere {
    async fn viewer(&self, cell: &Cell, visit: &Visit) -> Result<Viewer, StoreError> {
        let viewer = CorrectParts.viewer(cell, visit).await?;
        let session = viewer.session.clone().unwrap_or_default();
        let has_ended = self.ended(|ended| ended.contains(&(cell.node.clone(), session)));
        Ok(if has_ended { Viewer::default() } else { viewer })
    }

    async fn page(&self, mut call: Call, page: RowPage) -> PageResult {
        let is_sign_out = call.asked.path == SIGN_OUT && !call.visit.reads();
        if let Some(session) = call.viewer.session.clone().filter(|_| is_sign_out) {
            self.ended(|ended| ended.insert((call.cell.node.clone(), session)));
            call.viewer = Arc::new(Viewer::default());
        }
        Ok(page.run(call).await)
    }
}

#[derive(Debug)]
struct CredentialsCheckedAtHome;

#[async_trait]
impl Parts for CredentialsCheckedAtHome {
    async fn page(&self, mut call: Call, page: RowPage) -> PageResult {
        if call.asked.path == SIGN_IN && !call.visit.reads() {
            let mut form = call.visit.form();
            let user = call.cell.database.user(form.exactly("username")).await?;
            if let Some(user) = user
                && !is_at_home(&call.cell, &user).await?
            {
                form.0.remove("username");
                call = with_form(&call, &form).await;
            }
        }
        Ok(page.run(call).await)
    }
}

fn on_the_legacy_cell(
    cell: &Cell,
    asked: &Asked,
    _: Option<&Viewer>,
    decision: &mut RouteDecision,
) {
    if asked.endpoint == Endpoint::Users {
        decision.owner = Owner::Node(cell.installation.latest().clone());
    }
}

fn another_cookie(call: &Call, response: &mut Response) {
    let is_sign_in = [SIGN_IN, SIGN_UP].contains(&&*call.asked.path);
    if let Some(session) = set_by(response).filter(|_| is_sign_in) {
        let cookie = format!("_gitlab_cell_session={session}; Path=/; HttpOnly; SameSite=Lax");
        let cookie = HeaderValue::try_from(cookie).expect("it was a cookie before");
        response.headers_mut().insert(SET_COOKIE, cookie);
    }
}

fn to_the_root(call: &Call, response: &mut Response) {
    if call.asked.path == SIGN_IN && set_by(response).is_some() {
        response.headers_mut().insert(LOCATION, HeaderValue::from_static("/"));
    }
}
