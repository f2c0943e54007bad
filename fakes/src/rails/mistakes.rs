//! What mutants do where a condition at the decision point is not enough. Each of these changes
//! nothing for sound cells.

use super::call::Call;
use super::cell::Cell;
use super::request::Visit;
use super::sign_in::token::new_token;
use super::sign_in::viewer::Viewer;
use crate::CellId;
use crate::database::{Change, StoreError, User};
use crate::mutants::Mutation;
use crate::population::Work;

/// The sender that the cell believes in; `sound` is the real one.
pub(super) async fn viewer(
    cell: &Cell,
    _visit: &Visit,
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
    if cell.has(Mutation::AdoptsSessions) {
        // A random value of 128 bits is never taken.
        let _ = cell
            .database
            .write(Change::AddSession { session: new_token(), user: user.name.clone() })
            .await?;
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
}
