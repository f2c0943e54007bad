//! Authentication by sessions and personal access tokens, which are valid on every cell (SE-01,
//! DB-01).

use axum::http::{HeaderValue, header};
use axum::response::Response;

use super::token::new_token;
use super::viewer::Viewer;
use crate::Region;
use crate::database::{Change, StoreError, User};
use crate::mutants::Mutation;
use crate::rails::cell::Cell;
use crate::rails::installation::Installation;
use crate::rails::path::is_at_or_below;
use crate::rails::request::Visit;
use crate::rails::response::PageResult;
use crate::rails::{git::repositories, mistakes};
use crate::sessions::{Claims, Leniency, Revocation, SessionModel};

/// The cookie of a session. Its value names no cell (RT-12).
pub const SESSION_COOKIE: &str = "_gitlab_session";

/// The request field of a personal access token.
const TOKEN_FIELD: &str = "private-token";

impl Viewer {
    /// Identifies the sender, from the replica of the cell's region (SE-03).
    pub async fn of(cell: &Cell, visit: &Visit) -> Result<Self, StoreError> {
        let token = visit.field(TOKEN_FIELD).filter(|_| is_at_or_below(&visit.path, "/api"));
        let token = token.map(str::to_owned).or_else(|| repositories::token(visit));
        if let Some(token) = token {
            let mut user = cell.database.token(&token).await?;
            if cell.has(Mutation::NewTokenKnownHere)
                && let Some(name) = cell.installation.notes.user_of_token(&cell.node, &token)
            {
                user = cell.database.user(&name).await?;
            }
            let sound = Self { user, session: None, renewed: None };
            return mistakes::viewer(cell, visit, None, sound).await;
        }
        let Some(session) = visit.cookie(SESSION_COOKIE) else { return Ok(Self::default()) };
        let (user, renewed) = match cell.installation.plan.session_plan.model {
            SessionModel::Shared => (of_shared_store(cell, session).await?, None),
            SessionModel::Regional => (of_regional_store(cell, session).await?, None),
            SessionModel::Jwt => of_token(cell, session).await?,
        };
        let sound = Self { session: user.is_some().then(|| session.to_owned()), user, renewed };
        mistakes::viewer(cell, visit, Some(session), sound).await
    }
}

/// The user of a session in the store that all regions share. A replica that lags does not know a
/// session that was just made, so a miss asks the primary: lag signs nobody out (SE-06).
async fn of_shared_store(cell: &Cell, session: &str) -> Result<Option<User>, StoreError> {
    if cell.has(Mutation::SessionsReadAtThePrimary) {
        return cell.database.session_at_primary(session).await;
    }
    match cell.database.session(session).await? {
        None if !cell.has(Mutation::LagSignsOut) => cell.database.session_at_primary(session).await,
        found => Ok(found),
    }
}

/// The user of a session in the store of the region that the session names (SE-07).
async fn of_regional_store(cell: &Cell, session: &str) -> Result<Option<User>, StoreError> {
    let sessions = &cell.installation.sessions;
    let Some(region) = sessions.region_of(session) else { return Ok(None) };
    if cell.has(Mutation::SessionsStayInTheirRegion) && region != cell.node.region() {
        return Ok(None);
    }
    match sessions.user_of(&cell.node, region, session).await? {
        Some(name) => known_user(cell, &name).await,
        None => Ok(None),
    }
}

/// The user of a JWT, and the one that replaces it. No session is read (SE-10).
async fn of_token(cell: &Cell, token: &str) -> Result<(Option<User>, Option<String>), StoreError> {
    let Installation { plan, sessions, token_key, clock, .. } = &*cell.installation;
    let lenient = Leniency {
        signature: cell.has(Mutation::SignaturesUnread),
        no_algorithm: cell.has(Mutation::TokensOfAlgNone),
        expiry: cell.has(Mutation::ExpiredTokensCount),
    };
    let now = clock.now();
    let Some(claims) = token_key.verified(token, now, lenient) else { return Ok((None, None)) };
    let region = cell.node.region();
    if plan.session_plan.revocation_list && sessions.is_revoked(&cell.node, region, &claims).await?
    {
        return Ok((None, None));
    }
    if cell.has(Mutation::TokensLookedUp) {
        sessions.user_of(&cell.node, region, &claims.id).await?;
    }
    let Some(user) = known_user(cell, &claims.user).await? else { return Ok((None, None)) };
    let is_old = now.saturating_sub(claims.issued) * 2 >= plan.session_plan.life_ms();
    let is_current = token_key.mark_of(&user.password) == claims.password
        || cell.has(Mutation::TokensRenewedBlindly);
    let renewed = (is_old && is_current).then(|| {
        let password = claims.password;
        token_key.signed(&cell.installation.claims(&user.name, password))
    });
    Ok((Some(user), renewed))
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
    let name = if cell.has(Mutation::SignInSetsAnotherCookie) {
        "_gitlab_cell_session"
    } else {
        SESSION_COOKIE
    };
    let cookie = cookie(name, &session);
    if cell.has(Mutation::SessionStorePerCell) {
        cell.installation.notes.add_session(&cell.node, session, &user.name);
    } else {
        match cell.installation.plan.session_plan.model {
            SessionModel::Shared => {
                let change = Change::AddSession { session, user: user.name.clone() };
                // A random value of 128 bits is never taken.
                let _ = cell.database.write(change).await?;
            }
            SessionModel::Regional => {
                let sessions = &cell.installation.sessions;
                sessions.add(Some(&cell.node), region, &session, &user.name).await?;
            }
            SessionModel::Jwt => {}
        }
    }
    set_cookie(&mut response, &cookie);
    Ok(response)
}

/// Adds the cookie of a session that replaces the viewer's, unless the response sets one already.
pub fn renew(response: &mut Response, session: &str) {
    if !response.headers().contains_key(header::SET_COOKIE) {
        set_cookie(response, &cookie(SESSION_COOKIE, session));
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
    if cell.has(Mutation::SignOutOnlyHere) {
        cell.installation.notes.end_session(&cell.node, session);
        return Ok(());
    }
    let Installation { plan, sessions, token_key, .. } = &*cell.installation;
    let here = Some(&cell.node);
    match plan.session_plan.model {
        SessionModel::Shared => {
            let change = Change::EndSession { session: session.to_owned() };
            let _ = cell.database.write(change).await?;
        }
        SessionModel::Regional => {
            let named = sessions.region_of(session);
            let region = if cell.has(Mutation::SignOutInOneRegion) { None } else { named };
            sessions.end(here, region.unwrap_or(cell.node.region()), session).await?;
        }
        SessionModel::Jwt => {
            // The viewer was identified by it, so it is valid; its expiry does not matter here.
            let claims = token_key.verified(session, 0, Leniency::default());
            if let Some(claims) = claims.filter(|_| plan.session_plan.revocation_list) {
                revoke(cell, &Revocation::Token(claims.id)).await?;
            }
        }
    }
    Ok(())
}

/// The regions in whose stores something is written: all of them; with this mistake the cell's own
/// alone.
fn regions(cell: &Cell, mistake: Mutation) -> impl Iterator<Item = &Region> {
    let alone = cell.has(mistake);
    let all = cell.installation.sessions.regions().iter();
    all.filter(move |region| !alone || *region == cell.node.region())
}

/// Writes a revocation into the lists of all regions.
async fn revoke(cell: &Cell, revocation: &Revocation) -> Result<(), StoreError> {
    for region in regions(cell, Mutation::SignOutInOneRegion) {
        let sessions = &cell.installation.sessions;
        sessions.revoke(Some(&cell.node), region, revocation).await?;
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
    if !cell.has(Mutation::NewPasswordKeepsSessions) {
        end_all_but(cell, &user.name, viewer.session.as_deref()).await?;
    }
    // The old token is of the old password, so the user goes on with a new one.
    if cell.installation.plan.session_plan.model == SessionModel::Jwt && viewer.session.is_some() {
        let session = cell.installation.new_session(cell.node.region(), user);
        set_cookie(&mut response, &cookie(SESSION_COOKIE, &session));
    }
    Ok(response)
}

async fn end_all_but(cell: &Cell, user: &str, keep: Option<&str>) -> Result<(), StoreError> {
    let Installation { plan, sessions, clock, .. } = &*cell.installation;
    match plan.session_plan.model {
        SessionModel::Shared => {
            let keep = keep.map(str::to_owned);
            let change = Change::EndOtherSessions { user: user.to_owned(), keep };
            let _ = cell.database.write(change).await?;
        }
        SessionModel::Regional => {
            for region in regions(cell, Mutation::EverywhereIsThisRegion) {
                sessions.end_others(&cell.node, region, user, keep).await?;
            }
        }
        SessionModel::Jwt => {
            // A session is kept by its user's next token.
            let outlives = keep.is_some() && cell.has(Mutation::TokensOutliveThePassword);
            if plan.session_plan.revocation_list && !outlives {
                let before = Revocation::Before { user: user.to_owned(), at: clock.now() };
                revoke(cell, &before).await?;
            }
        }
    }
    Ok(())
}

fn cookie(name: &str, session: &str) -> String {
    format!("{name}={session}; Path=/; HttpOnly; SameSite=Lax")
}

fn remove_cookie(response: &mut Response) {
    set_cookie(response, &format!("{SESSION_COOKIE}=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0"));
}

fn set_cookie(response: &mut Response, cookie: &str) {
    if let Ok(value) = HeaderValue::from_str(cookie) {
        response.headers_mut().append(header::SET_COOKIE, value);
    }
}
