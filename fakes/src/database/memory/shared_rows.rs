//! The rows of the shared schemas on one server.

use std::collections::BTreeMap;

use super::routing::RoutesTable;
use crate::CellId;
use crate::rows::{CellSettings, Change, Conflict, Id, IdTable, Organization, User};

#[derive(Clone, Debug, Default)]
pub(super) struct SharedRows {
    pub(super) users: BTreeMap<String, User>,
    pub(super) sessions: BTreeMap<String, String>,
    pub(super) tokens: BTreeMap<String, String>,
    pub(super) organizations: BTreeMap<String, Organization>,
    pub(super) routes: RoutesTable,
    pub(super) row_cells: BTreeMap<(IdTable, Id), CellId>,
    pub(super) settings: BTreeMap<String, String>,
    pub(super) cell_settings: CellSettings,
}

impl SharedRows {
    /// Applies a change, or refuses it and changes nothing.
    pub(super) fn apply(&mut self, change: &Change) -> Result<(), Conflict> {
        match change {
            Change::AddUser(user) => add(&mut self.users, &user.name, user.clone())?,
            Change::SetDefaultOrganization { user, organization } => {
                found(&mut self.users, user)?.default_organization = organization.clone();
            }
            Change::SetPassword { user, password } => {
                found(&mut self.users, user)?.password = password.clone();
            }
            Change::SetStatus { user, status } => {
                found(&mut self.users, user)?.status = status.clone();
            }
            Change::AddSession { session, user } => add(&mut self.sessions, session, user.clone())?,
            Change::EndSession { session } => _ = self.sessions.remove(session),
            Change::EndOtherSessions { user, keep } => {
                self.sessions.retain(|session, of| of != user || keep.as_ref() == Some(session));
            }
            Change::AddToken { token, user } => add(&mut self.tokens, token, user.clone())?,
            Change::AddOrganization(organization) => {
                add(&mut self.organizations, &organization.slug, organization.clone())?;
            }
            Change::PlaceOrganization { slug, cell } => {
                found(&mut self.organizations, slug)?.cell = cell.clone();
            }
            Change::AddRoute(route) => self.routes.add(route.clone())?,
            Change::PlaceRoutes { path, cell } => self.routes.place(path, cell),
            Change::PlaceRow { table, id, cell } => {
                self.row_cells.insert((*table, *id), cell.clone());
            }
            Change::RenameRoutes { path, to } => self.routes.rename(path, to)?,
            Change::SetSetting { key, value } => {
                self.settings.insert(key.clone(), value.clone());
            }
            Change::SetCellSetting { cell, key, value } => {
                let row = self.cell_settings.entry(cell.clone()).or_default();
                row.insert(key.clone(), value.clone());
            }
        }
        Ok(())
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
