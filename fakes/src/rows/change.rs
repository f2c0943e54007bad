//! Writes to the shared schemas, as the primary's log has them.

use super::id::Id;
use super::shared::{Organization, Route, User};
use super::table::IdTable;
use crate::CellId;

/// A write to a shared schema.
#[derive(Clone, Debug)]
pub enum Change {
    AddUser(User),
    SetDefaultOrganization {
        user: String,
        organization: Option<String>,
    },
    SetPassword {
        user: String,
        password: String,
    },
    SetStatus {
        user: String,
        status: String,
    },
    AddSession {
        session: String,
        user: String,
    },
    EndSession {
        session: String,
    },
    /// Ends all sessions of a user except one (SE-05).
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
    /// Moves all routes at and below a path to a cell.
    PlaceRoutes {
        path: String,
        cell: CellId,
    },
    /// Writes down which cell has a row, where its id alone does not tell (ID-23, ID-34).
    PlaceRow {
        table: IdTable,
        id: Id,
        cell: CellId,
    },
    /// Gives the routes at and below a path another path, where that is free.
    RenameRoutes {
        path: String,
        to: String,
    },
    SetSetting {
        key: String,
        value: String,
    },
    /// Sets a value in a cell's own row (AD-11).
    SetCellSetting {
        cell: CellId,
        key: String,
        value: String,
    },
}

impl Change {
    /// The schema and the table of the write.
    pub fn table(&self) -> (&'static str, &'static str) {
        match self {
            Self::AddUser(_)
            | Self::SetDefaultOrganization { .. }
            | Self::SetPassword { .. }
            | Self::SetStatus { .. } => ("gitlab_users", "users"),
            Self::AddSession { .. } | Self::EndSession { .. } | Self::EndOtherSessions { .. } => {
                ("gitlab_users", "sessions")
            }
            Self::AddToken { .. } => ("gitlab_users", "personal_access_tokens"),
            Self::AddOrganization(_) | Self::PlaceOrganization { .. } => {
                ("gitlab_routes", "organizations")
            }
            Self::PlaceRow { .. } => ("gitlab_routes", "row_cells"),
            Self::AddRoute(_) | Self::PlaceRoutes { .. } | Self::RenameRoutes { .. } => {
                ("gitlab_routes", "routes")
            }
            Self::SetSetting { .. } => ("gitlab_admin", "application_settings"),
            Self::SetCellSetting { .. } => ("gitlab_admin", "per_cell_application_settings"),
        }
    }

    /// Whether it is a write of sessions.
    pub fn is_of_session(&self) -> bool {
        self.table() == ("gitlab_users", "sessions")
    }
}
