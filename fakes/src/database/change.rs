//! Writes to the shared schemas, as they stand in the primary's log.

use std::collections::BTreeMap;
use std::fmt;

use super::routing::RoutesTable;
use super::{Organization, Route, User};
use crate::CellId;

/// One write to a shared schema.
#[derive(Clone, Debug)]
pub(crate) enum Change {
    AddUser(User),
    SetDefaultOrganization {
        user: String,
        organization: Option<String>,
    },
    SetPassword {
        user: String,
        password: String,
    },
    AddSession {
        session: String,
        user: String,
    },
    EndSession {
        session: String,
    },
    /// Ends all sessions of a user but one (SE-05).
    EndOtherSessions {
        user: String,
        keep: Option<String>,
    },
    AddToken {
        token: String,
        user: String,
    },
    AddOrganization(Organization),
    PlaceOrganization {
        slug: String,
        cell: CellId,
    },
    AddRoute(Route),
    /// Gives all routes at and below a path to a cell.
    PlaceRoutes {
        path: String,
        cell: CellId,
    },
    SetSetting {
        key: String,
        value: String,
    },
}

impl Change {
    /// The schema and table that are written.
    pub(crate) fn table(&self) -> (&'static str, &'static str) {
        match self {
            Self::AddUser(_) | Self::SetDefaultOrganization { .. } | Self::SetPassword { .. } => {
                ("gitlab_users", "users")
            }
            Self::AddSession { .. } | Self::EndSession { .. } | Self::EndOtherSessions { .. } => {
                ("gitlab_users", "sessions")
            }
            Self::AddToken { .. } => ("gitlab_users", "personal_access_tokens"),
            Self::AddOrganization(_) | Self::PlaceOrganization { .. } => {
                ("gitlab_routes", "organizations")
            }
            Self::AddRoute(_) | Self::PlaceRoutes { .. } => ("gitlab_routes", "routes"),
            Self::SetSetting { .. } => ("gitlab_admin", "application_settings"),
        }
    }
}

/// A write that the primary refuses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Conflict {
    /// A unique column has this value already.
    Taken(String),
    /// The row to be changed does not exist.
    Missing(String),
}

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Taken(what) => write!(f, "`{what}` is already taken"),
            Self::Missing(what) => write!(f, "`{what}` does not exist"),
        }
    }
}

impl std::error::Error for Conflict {}

/// The rows of all shared schemas, as one server has them.
#[derive(Clone, Debug, Default)]
pub(super) struct SharedRows {
    pub(super) users: BTreeMap<String, User>,
    pub(super) sessions: BTreeMap<String, String>,
    pub(super) tokens: BTreeMap<String, String>,
    pub(super) organizations: BTreeMap<String, Organization>,
    pub(super) routes: RoutesTable,
    pub(super) settings: BTreeMap<String, String>,
}

impl SharedRows {
    /// Makes a change, or leaves everything as it was.
    pub(super) fn apply(&mut self, change: &Change) -> Result<(), Conflict> {
        match change {
            Change::AddUser(user) => add(&mut self.users, &user.name, user.clone()),
            Change::SetDefaultOrganization { user, organization } => {
                found(&mut self.users, user)?.default_organization = organization.clone();
                Ok(())
            }
            Change::SetPassword { user, password } => {
                found(&mut self.users, user)?.password = password.clone();
                Ok(())
            }
            Change::AddSession { session, user } => add(&mut self.sessions, session, user.clone()),
            Change::EndSession { session } => {
                self.sessions.remove(session);
                Ok(())
            }
            Change::EndOtherSessions { user, keep } => {
                self.sessions.retain(|session, of| of != user || keep.as_ref() == Some(session));
                Ok(())
            }
            Change::AddToken { token, user } => add(&mut self.tokens, token, user.clone()),
            Change::AddOrganization(organization) => {
                add(&mut self.organizations, &organization.slug, organization.clone())
            }
            Change::PlaceOrganization { slug, cell } => {
                found(&mut self.organizations, slug)?.cell = cell.clone();
                Ok(())
            }
            Change::AddRoute(route) => self.routes.add(route.clone()),
            Change::PlaceRoutes { path, cell } => {
                self.routes.place(path, cell);
                Ok(())
            }
            Change::SetSetting { key, value } => {
                self.settings.insert(key.clone(), value.clone());
                Ok(())
            }
        }
    }
}

fn add<T>(table: &mut BTreeMap<String, T>, key: &str, row: T) -> Result<(), Conflict> {
    if table.contains_key(key) {
        return Err(Conflict::Taken(key.to_owned()));
    }
    table.insert(key.to_owned(), row);
    Ok(())
}

fn found<'a, T>(table: &'a mut BTreeMap<String, T>, key: &str) -> Result<&'a mut T, Conflict> {
    table.get_mut(key).ok_or_else(|| Conflict::Missing(key.to_owned()))
}
