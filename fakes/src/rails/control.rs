//! What a scenario does to an installation from outside: it is nobody's request, so it does not
//! stand in the journal.

use std::fmt;

use super::installation::Installation;
use super::token::new_token;
use crate::database::{
    Change, Conflict, LogPosition, Namespace, ProjectReference, Route, Server, Source, Spread,
};
use crate::population::Visibility;
use crate::segments::is_plain_segment;
use crate::{CellId, Region, ReplicationLag};

/// What cannot be done to an installation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ControlError {
    /// Nobody has this name.
    UnknownUser(String),
    /// No organization has this slug.
    UnknownOrganization(String),
    /// The topology does not have this cell.
    UnknownCell(CellId),
    /// The path is taken, or no path of a namespace.
    PathNotFree(String),
}

impl fmt::Display for ControlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownUser(name) => write!(f, "there is no user `{name}`"),
            Self::UnknownOrganization(slug) => write!(f, "there is no organization `{slug}`"),
            Self::UnknownCell(cell) => write!(f, "the installation has no {cell}"),
            Self::PathNotFree(path) => write!(f, "`{path}` is taken, or no path of a namespace"),
        }
    }
}

impl std::error::Error for ControlError {}

impl Installation {
    /// Makes a session for somebody and responds with the value of its cookie
    /// ([`SESSION_COOKIE`](crate::SESSION_COOKIE)). Every cell knows it at once, whatever the lag.
    ///
    /// # Errors
    /// Where nobody has this name.
    pub async fn create_session(&self, user: &str) -> Result<String, ControlError> {
        if self.shared.user(&Server::Primary, user).await.rows.is_none() {
            return Err(ControlError::UnknownUser(user.to_owned()));
        }
        let session = new_token();
        let change = Change::AddSession { session: session.clone(), user: user.to_owned() };
        self.shared
            .write(change, Spread::AtOnce)
            .await
            .map_err(|conflict| ControlError::UnknownUser(conflict.to_string()))?;
        Ok(session)
    }

    /// Ends a session on every cell at once.
    pub async fn end_session(&self, session: &str) {
        // Ending what has ended already is no conflict.
        let _ = self
            .shared
            .write(Change::EndSession { session: session.to_owned() }, Spread::AtOnce)
            .await;
    }

    /// Moves an organization, with all that belongs to it, to another cell (the cell as the
    /// documents name it). Ids are kept (ID-05). Responses with the position up to which a region's
    /// replica must have replayed the log for its cells to know.
    ///
    /// # Errors
    /// Where there is no such organization or cell.
    pub async fn move_organization(
        &self,
        slug: &str,
        to: &CellId,
    ) -> Result<LogPosition, ControlError> {
        if !self.plan.topology.contains(to) {
            return Err(ControlError::UnknownCell(to.clone()));
        }
        let unknown = || ControlError::UnknownOrganization(slug.to_owned());
        let organization =
            self.shared.organization(&Server::Primary, slug).await.rows.ok_or_else(unknown)?;
        let paths = self.own.move_organization(slug, &organization.cell, to).await;
        let mut changes =
            vec![Change::PlaceOrganization { slug: slug.to_owned(), cell: to.clone() }];
        changes.extend(
            paths
                .into_iter()
                .map(|path| Change::PlaceRoutes { path: format!("/{path}"), cell: to.clone() }),
        );
        for change in changes {
            self.shared.write(change, Spread::Replicated).await.map_err(|_| unknown())?;
        }
        Ok(self.position())
    }

    /// Creates a top-level namespace in an organization, or in `GitLab.com Public`, and responds
    /// with its id.
    ///
    /// # Errors
    /// Where there is no such organization, or the path is not free.
    pub async fn create_namespace(
        &self,
        path: &str,
        organization: Option<&str>,
        visibility: Visibility,
    ) -> Result<u64, ControlError> {
        let cell = match organization {
            None => self.latest().clone(),
            Some(slug) => {
                let found = self.shared.organization(&Server::Primary, slug).await.rows;
                found.ok_or_else(|| ControlError::UnknownOrganization(slug.to_owned()))?.cell
            }
        };
        let path = path.trim_matches('/');
        if !is_plain_segment(path) {
            return Err(ControlError::PathNotFree(path.to_owned()));
        }
        let id = self.own.draw_id(&cell).await;
        let written = self
            .shared
            .write(
                Change::AddRoute(namespace_route(path, &cell, id, visibility)),
                Spread::Replicated,
            )
            .await;
        written.map_err(|_: Conflict| ControlError::PathNotFree(path.to_owned()))?;
        let (path, organization) = (path.to_owned(), organization.map(str::to_owned));
        let namespace = Namespace {
            id,
            name: path.clone(),
            path,
            organization,
            visibility,
            members: Default::default(),
        };
        self.own.add_namespace(&cell, namespace).await;
        Ok(id)
    }

    /// The cell that owns a request path of a namespace, a project or a further route, by the
    /// primary's routes; as the documents name it.
    pub async fn owner_of(&self, path: &str) -> Option<CellId> {
        let covering = self.shared.routes(&Server::Primary, path).await.rows;
        covering.into_iter().next_back().map(|covering| covering.route.cell)
    }

    /// The id of a project, given as `group/project`.
    pub async fn project_id(&self, path: &str) -> Option<u64> {
        let reference = ProjectReference::Path(path.trim_matches('/').to_owned());
        let route = self.shared.project_route(&Server::Primary, &reference).await.rows?;
        match route.source {
            Source::Project(id) => Some(id),
            Source::Namespace(_) | Source::Page => None,
        }
    }

    /// Changes how far the replicas are behind; [`ReplicationLag::None`] releases what was held.
    pub fn set_replication_lag(&self, lag: ReplicationLag) {
        self.replication.set_lag(lag);
    }

    /// The last position of the primary's log.
    pub fn position(&self) -> LogPosition {
        self.shared.position()
    }

    /// Waits until a region's replica has replayed the log up to a position. The caller bounds the
    /// wait: replicas that are held do not move.
    pub async fn wait_until_replayed(&self, region: &Region, position: LogPosition) {
        self.shared.replayed(region, position).await;
    }
}

/// The route of a new namespace.
pub(super) fn namespace_route(path: &str, cell: &CellId, id: u64, visibility: Visibility) -> Route {
    Route {
        path: format!("/{path}"),
        cell: cell.clone(),
        source: Source::Namespace(id),
        public: visibility == Visibility::Public,
        exact: false,
        learnt_by_own_path: false,
    }
}
