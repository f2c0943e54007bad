//! Sessions, by the ways to keep them.

use std::sync::Arc;

use async_trait::async_trait;
use cell_fleet::inside::{
    Call, Cell, CorrectParts, Parts, StoreError, Viewer, Visit, session::token_of,
};
use cell_fleet::store::Claims;
use cell_fleet::{Region, SESSION_COOKIE, SessionModel};

use super::sign_in::SIGN_OUT;
use crate::mutant::mutants;
use crate::ways::Mistakes;

mutants! {
    SessionsReadAtThePrimary: Both, "SE-03",
        "each session is read in the region of the primary, wherever the cell is"
            => SharedStore { primary: true };
    LagSignsOut: Both, "SE-06",
        "a session that the replica does not have yet is none" => SharedStore { primary: false };
    SessionsStayInTheirRegion: Both, "SE-07",
        "a session of another region's store is none" => SessionsStayInTheirRegion;
    SignOutInOneRegion: Both, "SE-11",
        "a sign-out reaches the store, or the list, of the cell's own region alone"
            => Mistakes(signs_out_here);
    EverywhereIsThisRegion: Both, "SE-11",
        "all sessions of a user end in the store of the cell's own region alone"
            => Mistakes(ends_all_here);
    SignaturesUnread: Both, "SE-08", "a JWT counts whatever its signature is"
            => Accepts(whoever_signed);
    TokensOfAlgNone: Both, "SE-08", "a JWT that says `alg: none` needs no signature"
            => Accepts(read_alg_none);
    ExpiredTokensCount: Both, "SE-08", "a JWT counts also after its expiry" => Accepts(expired);
    TokensLookedUp: Both, "SE-10",
        "each JWT is looked up in the store of the region's sessions" => TokensLookedUp;
    TokensRenewedBlindly: Both, "SE-09",
        "a JWT is renewed although its user's password has changed" => TokensRenewedBlindly;
    TokensOutliveThePassword: Both, "SE-09",
        "a new password leaves the JWTs of the old one off the list" => Mistakes(revokes_nothing);
}

fn model(cell: &Cell) -> SessionModel {
    cell.installation.plan.session_plan.model
}

/// The session that a request brings, where sessions are kept so.
fn session_of<'v>(cell: &Cell, visit: &'v Visit, kept: SessionModel) -> Option<&'v str> {
    let counts = model(cell) == kept && token_of(visit).is_none();
    visit.cookie(SESSION_COOKIE).filter(|_| counts)
}

/// Reads sessions of the shared store at its primary alone, or at a replica alone.
#[derive(Debug)]
struct SharedStore {
    primary: bool,
}

#[async_trait]
impl Parts for SharedStore {
    async fn viewer(&self, cell: &Cell, visit: &Visit) -> Result<Viewer, StoreError> {
        let Some(session) = session_of(cell, visit, SessionModel::Shared) else {
            return CorrectParts.viewer(cell, visit).await;
        };
        let user = match self.primary {
            true => cell.database.session_at_primary(session).await?,
            false => cell.database.session(session).await?,
        };
        Ok(Viewer::from_session(session, user))
    }
}

#[derive(Debug)]
struct SessionsStayInTheirRegion;

#[async_trait]
impl Parts for SessionsStayInTheirRegion {
    async fn viewer(&self, cell: &Cell, visit: &Visit) -> Result<Viewer, StoreError> {
        let session = session_of(cell, visit, SessionModel::Regional);
        let region = session.and_then(|session| cell.sessions.region_of(session));
        match region.is_some_and(|region| region != cell.node.region()) {
            true => Ok(Viewer::default()),
            false => CorrectParts.viewer(cell, visit).await,
        }
    }
}

/// Lets the cell know these regions alone.
fn know(call: &mut Call, regions: Vec<Region>) {
    let mut cell = Cell::clone(&call.cell);
    cell.sessions.regions = regions;
    call.cell = Arc::new(cell);
}

fn signs_out_here(call: &mut Call) {
    if call.asked.path == SIGN_OUT || model(&call.cell) == SessionModel::Jwt {
        know(call, vec![call.cell.node.region().clone()]);
    }
}

fn ends_all_here(call: &mut Call) {
    if call.asked.path != SIGN_OUT && model(&call.cell) == SessionModel::Regional {
        know(call, vec![call.cell.node.region().clone()]);
    }
}

fn revokes_nothing(call: &mut Call) {
    let is_password = call.asked.path == "/-/user_settings/password";
    if is_password && model(&call.cell) == SessionModel::Jwt {
        know(call, Vec::new());
    }
}

/// Takes what the function finds in a JWT for verified.
#[derive(Debug)]
struct Accepts(fn(&Cell, &str) -> Option<Claims>);

#[async_trait]
impl Parts for Accepts {
    async fn viewer(&self, cell: &Cell, visit: &Visit) -> Result<Viewer, StoreError> {
        let token = session_of(cell, visit, SessionModel::Jwt);
        match token.and_then(|token| Some((token, (self.0)(cell, token)?))) {
            Some((token, claims)) => Viewer::from_claims(cell, token, &claims).await,
            None => CorrectParts.viewer(cell, visit).await,
        }
    }
}

fn whoever_signed(cell: &Cell, token: &str) -> Option<Claims> {
    said(cell, token, "HS256")
}

fn read_alg_none(cell: &Cell, token: &str) -> Option<Claims> {
    said(cell, token, "none")
}

/// What a token says that names this algorithm and has not expired.
fn said(cell: &Cell, token: &str, algorithm: &str) -> Option<Claims> {
    let (named, claims) = Claims::read(token)?;
    (named == algorithm && cell.installation.clock.now() < claims.expires).then_some(claims)
}

/// What a token says at any time.
fn expired(cell: &Cell, token: &str) -> Option<Claims> {
    cell.installation.token_key.verified(token, 0)
}

/// The claims of the JWT that identifies a viewer.
fn claims_of(cell: &Cell, viewer: &Viewer) -> Option<Claims> {
    let token = viewer.session.as_ref().filter(|_| model(cell) == SessionModel::Jwt)?;
    expired(cell, token)
}

#[derive(Debug)]
struct TokensLookedUp;

#[async_trait]
impl Parts for TokensLookedUp {
    async fn viewer(&self, cell: &Cell, visit: &Visit) -> Result<Viewer, StoreError> {
        let viewer = CorrectParts.viewer(cell, visit).await?;
        if let Some(claims) = claims_of(cell, &viewer) {
            cell.sessions.user_of(&cell.node, cell.node.region(), &claims.id).await?;
        }
        Ok(viewer)
    }
}

#[derive(Debug)]
struct TokensRenewedBlindly;

#[async_trait]
impl Parts for TokensRenewedBlindly {
    async fn viewer(&self, cell: &Cell, visit: &Visit) -> Result<Viewer, StoreError> {
        let mut viewer = CorrectParts.viewer(cell, visit).await?;
        if let Some(claims) = claims_of(cell, &viewer) {
            viewer.renewed = cell.installation.renewed(&claims);
        }
        Ok(viewer)
    }
}
