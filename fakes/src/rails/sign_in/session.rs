//! Authentication by sessions and personal access tokens, which are valid on every cell (SE-01,
//! DB-01).

use axum::http::{HeaderValue, header};
use axum::response::Response;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;

use super::ways::way_of;
use crate::database::{Stored, User};
use crate::rails::cell::Cell;
use crate::rails::control::ControlError;
use crate::rails::endpoint::RepositoryCall;
use crate::rails::installation::Installation;
use crate::rails::path::is_at_or_below;
use crate::rails::request::Viewer;
use crate::rails::request::Visit;
use crate::rails::response::PageResult;

/// The cookie of a session. Its value names no cell (RT-12).
pub const SESSION_COOKIE: &str = "_gitlab_session";

/// The request field of a personal access token.
const TOKEN_FIELD: &str = "private-token";

/// The personal access token that a request brings, if it brings one.
pub fn token_of(visit: &Visit) -> Option<String> {
    let token = visit.field(TOKEN_FIELD).filter(|_| is_at_or_below(&visit.path, "/api"));
    token.map(str::to_owned).or_else(|| token_as_password(visit))
}

/// The token that a git client sends in place of a password, on a path of a repository.
fn token_as_password(visit: &Visit) -> Option<String> {
    RepositoryCall::decode(&visit.path)?;
    let value = visit.field("authorization")?;
    let (scheme, credentials) = value.split_once(' ')?;
    let credentials = BASE64_STANDARD.decode(credentials.trim()).ok()?;
    let credentials = String::from_utf8(credentials).ok()?;
    let (_, password) = credentials.split_once(':')?;
    scheme.eq_ignore_ascii_case("basic").then(|| password.to_owned())
}

impl Viewer {
    /// Identifies the sender, from the replica of the cell's region (SE-03).
    pub async fn from_visit(cell: &Cell, visit: &Visit) -> Stored<Self> {
        if let Some(token) = token_of(visit) {
            let user = cell.database.token(&token).await?;
            return Ok(Self { user, ..Self::default() });
        }
        match visit.cookie(SESSION_COOKIE) {
            Some(session) => way_of(&cell.installation).viewer(cell, session).await,
            None => Ok(Self::default()),
        }
    }
}

impl Installation {
    /// Makes a session for a user and returns the value of its [cookie](SESSION_COOKIE). Every cell
    /// knows it at once, whatever the lag.
    ///
    /// # Errors
    /// Where no user has this name, or a store fails.
    pub async fn create_session(&self, user: &str) -> Result<String, ControlError> {
        let user = self.user_named(user).await?;
        Ok(way_of(self).open(self, None, &user).await?)
    }
}

/// Starts a session for a user and adds its cookie to a response.
pub async fn start(cell: &Cell, user: &User, mut response: Response) -> PageResult {
    let on = &cell.installation;
    let session = way_of(on).open(on, Some(cell), user).await?;
    set_cookie(&mut response, &cookie(&session));
    Ok(response)
}

/// Adds the cookie of a session that replaces the viewer's, unless the response sets one already.
pub fn renew(response: &mut Response, session: &str) {
    if !response.headers().contains_key(header::SET_COOKIE) {
        set_cookie(response, &cookie(session));
    }
}

/// Ends the viewer's session on every cell, and removes its cookie.
pub async fn end(cell: &Cell, viewer: &Viewer, mut response: Response) -> PageResult {
    if let Some(session) = &viewer.session {
        way_of(&cell.installation).end(cell, session).await?;
    }
    remove_cookie(&mut response);
    Ok(response)
}

/// Ends all sessions of the viewer on every cell, and removes the cookie of this one (SE-11).
pub async fn end_all(cell: &Cell, viewer: &Viewer, mut response: Response) -> PageResult {
    if let Some(user) = &viewer.user {
        way_of(&cell.installation).end_all_but(cell, &user.name, None).await?;
    }
    remove_cookie(&mut response);
    Ok(response)
}

/// Ends all other sessions of a user whose password is a new one (SE-05, SE-09).
pub async fn end_others(
    cell: &Cell,
    viewer: &Viewer,
    user: &User,
    response: Response,
) -> PageResult {
    let way = way_of(&cell.installation);
    way.end_all_but(cell, &user.name, viewer.session.as_deref()).await?;
    if way.ends_with_password() && viewer.session.is_some() {
        return start(cell, user, response).await;
    }
    Ok(response)
}

fn cookie(session: &str) -> String {
    format!("{SESSION_COOKIE}={session}; Path=/; HttpOnly; SameSite=Lax")
}

fn remove_cookie(response: &mut Response) {
    set_cookie(response, &format!("{SESSION_COOKIE}=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0"));
}

fn set_cookie(response: &mut Response, cookie: &str) {
    if let Ok(value) = HeaderValue::from_str(cookie) {
        response.headers_mut().append(header::SET_COOKIE, value);
    }
}
