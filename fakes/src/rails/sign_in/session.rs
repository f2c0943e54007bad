//! Authentication by sessions and personal access tokens, which are valid on every cell (SE-01,
//! DB-01).

use axum::http::{HeaderValue, header};
use axum::response::Response;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;

use super::token::new_token;
use crate::Region;
use crate::database::{Change, StoreError, User};
use crate::plan::SessionModel;
use crate::rails::cell::Cell;
use crate::rails::endpoint::RepositoryCall;
use crate::rails::installation::Installation;
use crate::rails::path::is_at_or_below;
use crate::rails::request::Visit;
use crate::rails::response::PageResult;
use crate::rails::viewer::Viewer;
use crate::sessions::{Claims, Revocation};

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
    pub async fn from_visit(cell: &Cell, visit: &Visit) -> Result<Self, StoreError> {
        if let Some(token) = token_of(visit) {
            let user = cell.database.token(&token).await?;
            return Ok(Self { user, ..Self::default() });
        }
        let Some(session) = visit.cookie(SESSION_COOKIE) else { return Ok(Self::default()) };
        let Installation { plan, token_key, clock, .. } = &*cell.installation;
        let user = match plan.session_plan.model {
            SessionModel::Shared => read_shared_store(cell, session).await?,
            SessionModel::Regional => read_regional_store(cell, session).await?,
            SessionModel::Jwt => {
                return match token_key.verified(session, clock.now()) {
                    Some(claims) => Self::from_claims(cell, session, &claims).await,
                    None => Ok(Self::default()),
                };
            }
        };
        Ok(Self::from_session(session, user))
    }

    /// The user of a session; a visitor where the session is nobody's.
    pub fn from_session(session: &str, user: Option<User>) -> Self {
        Self { session: user.is_some().then(|| session.to_owned()), user, renewed: None }
    }

    /// The user of a JWT that says this, with the one that replaces it. No session is read (SE-10).
    pub async fn from_claims(
        cell: &Cell,
        token: &str,
        claims: &Claims,
    ) -> Result<Self, StoreError> {
        let Installation { plan, token_key, .. } = &*cell.installation;
        let (node, region) = (&cell.node, cell.node.region());
        if plan.session_plan.revocation_list
            && cell.sessions.is_revoked(node, region, claims).await?
        {
            return Ok(Self::default());
        }
        let Some(user) = known_user(cell, &claims.user).await? else { return Ok(Self::default()) };
        let is_current = token_key.mark_of(&user.password) == claims.password;
        let renewed = is_current.then(|| cell.installation.renewed(claims)).flatten();
        Ok(Self { renewed, ..Self::from_session(token, Some(user)) })
    }
}

/// The user of a session in the store that all regions share. A replica that lags does not know a
/// session that was just made, so a miss asks the primary: lag signs nobody out (SE-06).
async fn read_shared_store(cell: &Cell, session: &str) -> Result<Option<User>, StoreError> {
    match cell.database.session(session).await? {
        None => cell.database.session_at_primary(session).await,
        found => Ok(found),
    }
}

/// The user of a session in the store of the region that the session names (SE-07).
async fn read_regional_store(cell: &Cell, session: &str) -> Result<Option<User>, StoreError> {
    let Some(region) = cell.sessions.region_of(session) else { return Ok(None) };
    match cell.sessions.user_of(&cell.node, region, session).await? {
        Some(name) => known_user(cell, &name).await,
        None => Ok(None),
    }
}

/// The user with a name, also where the replica does not have the row yet.
async fn known_user(cell: &Cell, name: &str) -> Result<Option<User>, StoreError> {
    match cell.database.user(name).await? {
        None => cell.database.user_at_primary(name).await,
        found => Ok(found),
    }
}

impl Installation {
    /// The value of a new session's cookie. No store has it yet.
    pub fn new_session(&self, region: &Region, user: &User) -> String {
        match self.plan.session_plan.model {
            SessionModel::Shared => new_token(),
            SessionModel::Regional => format!("{region}-{}", new_token()),
            SessionModel::Jwt => {
                let password = self.token_key.mark_of(&user.password);
                self.token_key.signed(&self.claims(&user.name, password))
            }
        }
    }

    /// The JWT that replaces one in use, once half of its life is over.
    pub fn renewed(&self, old: &Claims) -> Option<String> {
        let age = self.clock.now().saturating_sub(old.issued);
        let is_old = age * 2 >= self.plan.session_plan.life_ms();
        is_old.then(|| self.token_key.signed(&self.claims(&old.user, old.password.clone())))
    }

    fn claims(&self, user: &str, password: String) -> Claims {
        let issued = self.clock.now();
        let expires = issued + self.plan.session_plan.life_ms();
        Claims { id: new_token(), user: user.to_owned(), issued, expires, password }
    }
}

/// Starts a session for a user and adds its cookie to a response.
pub async fn start(cell: &Cell, user: &User, mut response: Response) -> PageResult {
    let region = cell.node.region();
    let session = cell.installation.new_session(region, user);
    set_cookie(&mut response, &cookie(&session));
    match cell.installation.plan.session_plan.model {
        SessionModel::Shared => {
            let change = Change::AddSession { session, user: user.name.clone() };
            // A random value of 128 bits is never taken.
            let _ = cell.database.write(change).await?;
        }
        SessionModel::Regional => {
            cell.sessions.add(Some(&cell.node), region, &session, &user.name).await?;
        }
        SessionModel::Jwt => {}
    }
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
        end_one(cell, session).await?;
    }
    remove_cookie(&mut response);
    Ok(response)
}

async fn end_one(cell: &Cell, session: &str) -> Result<(), StoreError> {
    let Cell { installation, node, sessions, .. } = cell;
    let Installation { plan, token_key, .. } = &**installation;
    match plan.session_plan.model {
        SessionModel::Shared => {
            let change = Change::EndSession { session: session.to_owned() };
            let _ = cell.database.write(change).await?;
        }
        SessionModel::Regional => {
            let region = sessions.region_of(session).unwrap_or(node.region());
            sessions.end(Some(node), region, session).await?;
        }
        SessionModel::Jwt => {
            // The viewer was identified by it, so it is valid; its expiry does not matter here.
            let claims = token_key.verified(session, 0);
            if let Some(claims) = claims.filter(|_| plan.session_plan.revocation_list) {
                revoke(cell, &Revocation::Token(claims.id)).await?;
            }
        }
    }
    Ok(())
}

/// Writes a revocation into the lists of all regions.
async fn revoke(cell: &Cell, revocation: &Revocation) -> Result<(), StoreError> {
    for region in &cell.sessions.regions {
        cell.sessions.revoke(Some(&cell.node), region, revocation).await?;
    }
    Ok(())
}

/// Ends all sessions of the viewer on every cell, and removes the cookie of this one (SE-11).
pub async fn end_all(cell: &Cell, viewer: &Viewer, mut response: Response) -> PageResult {
    if let Some(user) = &viewer.user {
        end_all_but(cell, &user.name, None).await?;
    }
    remove_cookie(&mut response);
    Ok(response)
}

/// Ends all other sessions of a user whose password is a new one (SE-05, SE-09).
pub async fn end_others(
    cell: &Cell,
    viewer: &Viewer,
    user: &User,
    mut response: Response,
) -> PageResult {
    end_all_but(cell, &user.name, viewer.session.as_deref()).await?;
    // The old token is of the old password, so the user goes on with a new one.
    if cell.installation.plan.session_plan.model == SessionModel::Jwt && viewer.session.is_some() {
        let session = cell.installation.new_session(cell.node.region(), user);
        set_cookie(&mut response, &cookie(&session));
    }
    Ok(response)
}

async fn end_all_but(cell: &Cell, user: &str, keep: Option<&str>) -> Result<(), StoreError> {
    let Installation { plan, clock, .. } = &*cell.installation;
    match plan.session_plan.model {
        SessionModel::Shared => {
            let keep = keep.map(str::to_owned);
            let change = Change::EndOtherSessions { user: user.to_owned(), keep };
            let _ = cell.database.write(change).await?;
        }
        SessionModel::Regional => {
            for region in &cell.sessions.regions {
                cell.sessions.end_others(&cell.node, region, user, keep).await?;
            }
        }
        // No session has to be kept: the user goes on with the token that `end_others` sets.
        SessionModel::Jwt => {
            if plan.session_plan.revocation_list {
                let before = Revocation::Before { user: user.to_owned(), at: clock.now() };
                revoke(cell, &before).await?;
            }
        }
    }
    Ok(())
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
