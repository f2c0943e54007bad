//! Authentication by sessions and personal access tokens, which are valid on every cell (SE-01,
//! DB-01).

use axum::http::{HeaderValue, header};
use axum::response::Response;

use super::cell::Cell;
use super::mutated;
use super::path::is_at_or_below;
use super::request::Visit;
use super::response::PageResult;
use super::token::new_token;
use super::viewer::Viewer;
use crate::database::{Change, StoreError};
use crate::mutants::Mutation;

/// The cookie of a session. Its value is random and names no cell (RT-12).
pub const SESSION_COOKIE: &str = "_gitlab_session";

/// The request field of a personal access token.
const TOKEN_FIELD: &str = "private-token";

impl Viewer {
    /// Identifies the sender, from the replica of the cell's region (SE-03).
    pub(super) async fn of(cell: &Cell, visit: &Visit) -> Result<Self, StoreError> {
        if let Some(token) =
            visit.field(TOKEN_FIELD).filter(|_| is_at_or_below(&visit.path, "/api"))
        {
            let mut user = cell.database.token(token).await?;
            if cell.has(Mutation::NewTokenKnownHere)
                && let Some(name) = cell.installation.notes.user_of_token(&cell.node, token)
            {
                user = cell.database.user(&name).await?;
            }
            let sound = Self { user, session: None };
            return mutated::viewer(cell, visit, None, sound).await;
        }
        let Some(session) = visit.cookie(SESSION_COOKIE) else { return Ok(Self::default()) };
        let user = cell.database.session(session).await?;
        let sound = Self { session: user.is_some().then(|| session.to_owned()), user };
        mutated::viewer(cell, visit, Some(session), sound).await
    }
}

/// Starts a session for a user and adds its cookie to a response.
pub(super) async fn start(cell: &Cell, user: &str, mut response: Response) -> PageResult {
    let session = new_token();
    let name = if cell.has(Mutation::SignInSetsAnotherCookie) {
        "_gitlab_cell_session"
    } else {
        SESSION_COOKIE
    };
    let cookie = format!("{name}={session}; Path=/; HttpOnly; SameSite=Lax");
    if cell.has(Mutation::SessionStorePerCell) {
        cell.installation.notes.add_session(&cell.node, session, user);
    } else {
        // A random value of 128 bits is never taken.
        let _ = cell.database.write(Change::AddSession { session, user: user.to_owned() }).await?;
    }
    set_cookie(&mut response, &cookie);
    Ok(response)
}

/// Ends the viewer's session on every cell, and removes its cookie.
pub(super) async fn end(cell: &Cell, viewer: &Viewer, mut response: Response) -> PageResult {
    if let Some(session) = &viewer.session {
        if cell.has(Mutation::SignOutOnlyHere) {
            cell.installation.notes.end_session(&cell.node, session);
        } else {
            let _ = cell.database.write(Change::EndSession { session: session.clone() }).await?;
        }
    }
    set_cookie(
        &mut response,
        &format!("{SESSION_COOKIE}=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0"),
    );
    Ok(response)
}

fn set_cookie(response: &mut Response, cookie: &str) {
    if let Ok(value) = HeaderValue::from_str(cookie) {
        response.headers_mut().append(header::SET_COOKIE, value);
    }
}
