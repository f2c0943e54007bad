//! The ways to keep sessions: what each does where a session is read, opened or ended.

use async_trait::async_trait;

use super::token::new_token;
use crate::database::{Change, Spread, Stored, User};
use crate::plan::SessionModel;
use crate::rails::cell::Cell;
use crate::rails::installation::Installation;
use crate::rails::request::Viewer;
use crate::sessions::{Claims, Revocation};

/// A way to keep sessions.
#[async_trait]
pub(super) trait Way: Sync {
    /// The sender whom a session identifies.
    async fn viewer(&self, cell: &Cell, session: &str) -> Stored<Viewer>;

    /// Opens a session for a user, and returns the value of its cookie. Without a cell, all cells
    /// know it at once.
    async fn open(&self, on: &Installation, by: Option<&Cell>, user: &User) -> Opened;

    /// Ends a session on every cell.
    async fn end(&self, cell: &Cell, session: &str) -> Ended;

    /// Ends the sessions of a user on every cell, except for this one.
    async fn end_all_but(&self, cell: &Cell, user: &str, keep: Option<&str>) -> Ended;

    /// Whether a session ends with the password of its sign-in.
    fn ends_with_password(&self) -> bool {
        false
    }
}

type Opened = Stored<String>;
type Ended = Stored<()>;

/// The way in which the cells of this fleet keep sessions.
pub(super) fn way_of(installation: &Installation) -> &'static dyn Way {
    match installation.plan.session_plan.model {
        SessionModel::Shared => &Shared,
        SessionModel::Regional => &Regional,
        SessionModel::Jwt => &Jwt,
    }
}

/// One store for all regions, with a replica in each.
struct Shared;

#[async_trait]
impl Way for Shared {
    /// A replica that lags does not know a session that was just made, so a miss asks the primary:
    /// lag signs nobody out (SE-06).
    async fn viewer(&self, cell: &Cell, session: &str) -> Stored<Viewer> {
        let user = match cell.database.session(session).await? {
            None => cell.database.session_at_primary(session).await?,
            found => found,
        };
        Ok(Viewer::from_session(session, user))
    }

    async fn open(&self, on: &Installation, by: Option<&Cell>, user: &User) -> Opened {
        let session = new_token();
        let change = Change::AddSession { session: session.clone(), user: user.name.clone() };
        // A random value of 128 bits is never taken.
        let _ = match by {
            Some(cell) => cell.database.write(change).await?,
            None => on.write(change, Spread::AtOnce).await?,
        };
        Ok(session)
    }

    async fn end(&self, cell: &Cell, session: &str) -> Ended {
        let change = Change::EndSession { session: session.to_owned() };
        cell.database.write(change).await.map(drop)
    }

    async fn end_all_but(&self, cell: &Cell, user: &str, keep: Option<&str>) -> Ended {
        let keep = keep.map(str::to_owned);
        let change = Change::EndOtherSessions { user: user.to_owned(), keep };
        cell.database.write(change).await.map(drop)
    }
}

/// A store for each region, which a session names (SE-07).
struct Regional;

#[async_trait]
impl Way for Regional {
    async fn viewer(&self, cell: &Cell, session: &str) -> Stored<Viewer> {
        let Some(region) = cell.sessions.region_of(session) else { return Ok(Viewer::default()) };
        let user = match cell.sessions.user_of(&cell.node, region, session).await? {
            Some(name) => known_user(cell, &name).await?,
            None => None,
        };
        Ok(Viewer::from_session(session, user))
    }

    async fn open(&self, on: &Installation, by: Option<&Cell>, user: &User) -> Opened {
        let region = by.map_or(&on.plan.topology.primary_region, |cell| cell.node.region());
        let session = format!("{region}-{}", new_token());
        on.sessions.add(by.map(|cell| &cell.node), region, &session, &user.name).await?;
        Ok(session)
    }

    async fn end(&self, cell: &Cell, session: &str) -> Ended {
        let region = cell.sessions.region_of(session).unwrap_or(cell.node.region());
        cell.sessions.end(Some(&cell.node), region, session).await
    }

    async fn end_all_but(&self, cell: &Cell, user: &str, keep: Option<&str>) -> Ended {
        for region in &cell.sessions.regions {
            cell.sessions.end_others(&cell.node, region, user, keep).await?;
        }
        Ok(())
    }
}

/// No store: the session is a JWT (SE-08), and each region may have a list of revoked ones.
struct Jwt;

#[async_trait]
impl Way for Jwt {
    async fn viewer(&self, cell: &Cell, session: &str) -> Stored<Viewer> {
        let Installation { token_key, clock, .. } = &*cell.installation;
        match token_key.verified(session, clock.now()) {
            Some(claims) => Viewer::from_claims(cell, session, &claims).await,
            None => Ok(Viewer::default()),
        }
    }

    async fn open(&self, on: &Installation, _by: Option<&Cell>, user: &User) -> Opened {
        let password = on.token_key.mark_of(&user.password);
        Ok(on.token_key.signed(&on.claims(&user.name, password)))
    }

    async fn end(&self, cell: &Cell, session: &str) -> Ended {
        // The viewer was identified by it, so it is valid; its expiry does not matter here.
        match cell.installation.token_key.verified(session, 0) {
            Some(claims) => revoke(cell, &Revocation::Token(claims.id)).await,
            None => Ok(()),
        }
    }

    /// No session has to be kept: the user goes on with a new token.
    async fn end_all_but(&self, cell: &Cell, user: &str, _keep: Option<&str>) -> Ended {
        let at = cell.installation.clock.now();
        revoke(cell, &Revocation::Before { user: user.to_owned(), at }).await
    }

    fn ends_with_password(&self) -> bool {
        true
    }
}

/// Writes a revocation into the lists of all regions, where the plan has them (SE-11).
async fn revoke(cell: &Cell, revocation: &Revocation) -> Ended {
    if cell.installation.plan.session_plan.revocation_list {
        for region in &cell.sessions.regions {
            cell.sessions.revoke(Some(&cell.node), region, revocation).await?;
        }
    }
    Ok(())
}

impl Viewer {
    /// The user of a JWT that says this, with the one that replaces it. No session is read (SE-10).
    pub async fn from_claims(cell: &Cell, token: &str, claims: &Claims) -> Stored<Self> {
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

/// The user with a name, also where the replica does not have the row yet.
async fn known_user(cell: &Cell, name: &str) -> Stored<Option<User>> {
    match cell.database.user(name).await? {
        None => cell.database.user_at_primary(name).await,
        found => Ok(found),
    }
}

impl Installation {
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
