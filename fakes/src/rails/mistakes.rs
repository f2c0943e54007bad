//! What mutants do where a condition at the decision point is not enough. Each of these changes
//! nothing for sound cells.

use std::collections::BTreeMap;

use super::call::Call;
use super::cell::Cell;
use super::layout::Escaped;
use super::request::Visit;
use super::sign_in::token::new_token;
use super::sign_in::viewer::Viewer;
use crate::CellId;
use crate::database::{Change, StoreError, User};
use crate::mutants::Mutation;
use crate::population::Work;

/// Whether the cell refuses every request.
pub(super) async fn is_out_of_service(cell: &Cell) -> Result<bool, StoreError> {
    Ok(cell.has(Mutation::OneCellToARegion) && cell.node.number() == 1
        || cell.has(Mutation::LoneCellWaitsForAService) && cell.installation.is_alone()
        || cell.has(Mutation::RefusesWhileReplicasLag) && cell.database.is_behind().await?)
}

/// The sender that the cell believes in; `sound` is the real one.
pub(super) async fn viewer(
    cell: &Cell,
    visit: &Visit,
    sent: Option<&str>,
    sound: Viewer,
) -> Result<Viewer, StoreError> {
    let notes = &cell.installation.notes;
    let mut viewer = sound;
    if let Some(session) = sent {
        if cell.has(Mutation::SessionStorePerCell)
            && let Some(name) = notes.user_of(&cell.node, session)
        {
            viewer = Viewer {
                user: cell.database.user(&name).await?,
                session: Some(session.to_owned()),
                renewed: None,
            };
        }
        if cell.has(Mutation::SessionOfTheFirstCell) && !notes.meets_first(&cell.node, session) {
            return Ok(Viewer::default());
        }
        if cell.has(Mutation::SignOutOnlyHere) && notes.has_ended(&cell.node, session) {
            viewer = Viewer::default();
        }
    }
    let Some(user) = viewer.user.as_mut() else { return Ok(viewer) };
    let by_token = viewer.session.is_none();
    let counts_at_home =
        cell.has(if by_token { Mutation::TokenKnownAtHome } else { Mutation::SessionKnownAtHome });
    if counts_at_home && !is_at_home(cell, user).await? {
        return Ok(Viewer::default());
    }
    if cell.has(Mutation::AccountsGetAnOrganization) && user.default_organization.is_none() {
        user.default_organization = first_organization(cell);
    }
    if let Some(chosen) = notes.default_of(&cell.node, &user.name) {
        user.default_organization = chosen;
    }
    if cell.has(Mutation::AdoptsSessions) {
        // A random value of 128 bits is never taken.
        let _ = cell
            .database
            .write(Change::AddSession { session: new_token(), user: user.name.clone() })
            .await?;
    }
    if cell.has(Mutation::WritesEveryVisitDown) && visit.reads() {
        // The user exists, since a session names them.
        let same = Change::SetDefaultOrganization {
            user: user.name.clone(),
            organization: user.default_organization.clone(),
        };
        let _ = cell.database.write(same).await?;
    }
    Ok(viewer)
}

/// Whether the cell is that of the user's default organization, or the legacy cell for a legacy
/// user.
pub(super) async fn is_at_home(cell: &Cell, user: &User) -> Result<bool, StoreError> {
    Ok(home_of(cell, user).await? == cell.role())
}

/// The cell of the user's default organization, or the legacy cell for a legacy user.
async fn home_of(cell: &Cell, user: &User) -> Result<CellId, StoreError> {
    let organization = match &user.default_organization {
        Some(slug) => cell.database.organization(slug).await?,
        None => None,
    };
    Ok(organization
        .map_or_else(|| cell.installation.latest().clone(), |organization| organization.cell))
}

/// The first organization of the population.
pub(super) fn first_organization(cell: &Cell) -> Option<String> {
    cell.installation
        .plan
        .population
        .organizations
        .first()
        .map(|organization| organization.slug.clone())
}

impl Cell {
    /// The cell after `role` in the topology.
    pub(super) fn beside(&self, role: &CellId) -> CellId {
        let cells = &self.installation.plan.topology.cells;
        let place = cells.iter().position(|cell| cell == role).map_or(0, |place| place + 1);
        cells[place % cells.len()].clone()
    }

    /// The cell that the route of a new group names.
    pub(super) fn place_of_new_group(&self, role: &CellId, in_organization: bool) -> CellId {
        if self.has(Mutation::NewRouteNamesTheLegacyCell) {
            self.installation.latest().clone()
        } else if self.has(Mutation::SpreadsAnOrganization) && in_organization {
            self.beside(role)
        } else {
            role.clone()
        }
    }
}

impl Call {
    /// The counters of a user, counted from what this cell has (OR-10, OR-17).
    pub(super) async fn work(&self, user: &User) -> Result<Work, StoreError> {
        let counted = if self.cell.has(Mutation::CountersFromHome) {
            home_of(&self.cell, user).await?
        } else {
            self.cell.role()
        };
        let mut work = self.cell.database.work(&counted, &user.name).await?;
        if self.cell.has(Mutation::ToDosFromHome) {
            let home = home_of(&self.cell, user).await?;
            work.todos = self.cell.database.work(&home, &user.name).await?.todos;
        }
        Ok(if self.cell.has(Mutation::CountersAtZero) { Work::default() } else { work })
    }

    /// The admin settings that this cell uses.
    pub(super) async fn settings(&self) -> Result<BTreeMap<String, String>, StoreError> {
        let installation = &self.cell.installation;
        let mut settings = self.cell.database.settings().await?;
        if self.cell.has(Mutation::AdminSettingsOfTheStart)
            && self.cell.node != *installation.latest()
        {
            settings.clone_from(&installation.plan.population.settings);
        }
        settings.append(&mut installation.notes.settings(&self.cell.node));
        Ok(settings)
    }

    /// A second list of admin settings, beside the shared one.
    pub(super) fn settings_of_its_own(&self) -> String {
        if !self.cell.has(Mutation::AdminSettingsInTwoPlaces) {
            return String::new();
        }
        let settings = &self.cell.installation.plan.population.settings;
        let rows = settings
            .iter()
            .map(|(key, value)| format!("<li>{}: {}</li>\n", Escaped(key), Escaped(value)));
        format!("<h2>Settings of this cell</h2>\n<ul>\n{}</ul>\n", rows.collect::<String>())
    }
}
