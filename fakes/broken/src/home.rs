//! The cell where a user is at home.

use cell_fleet::CellId;
use cell_fleet::inside::{Cell, StoreError};
use cell_fleet::store::User;

/// The cell of a user's default organization, or the legacy cell for a legacy user.
pub(crate) async fn home_of(cell: &Cell, user: &User) -> Result<CellId, StoreError> {
    let organization = match &user.default_organization {
        Some(slug) => cell.database.organization(slug).await?,
        None => None,
    };
    let latest = || cell.installation.latest().clone();
    Ok(organization.map_or_else(latest, |organization| organization.cell))
}

/// Whether this cell is that one.
pub(crate) async fn is_at_home(cell: &Cell, user: &User) -> Result<bool, StoreError> {
    Ok(home_of(cell, user).await? == cell.role())
}
