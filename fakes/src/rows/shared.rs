//! The rows of the schemas that all cells share.

use std::collections::{BTreeMap, BTreeSet};

use super::id::Id;
use super::own::Visibility;
use crate::CellId;

/// A row of `gitlab_users.users` (DB-01, OR-16).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct User {
    pub id: Id,
    pub name: String,
    pub password: String,
    /// Slug; `None` is `GitLab.com Public`.
    pub default_organization: Option<String>,
    pub admin: bool,
    /// What the profile says of the user; empty where nothing was written.
    pub status: String,
}

impl User {
    /// Whether the user may use global pages (GL-05).
    pub fn is_legacy(&self) -> bool {
        self.default_organization.is_none()
    }
}

/// A row of `gitlab_routes.organizations`: an organization and its cell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Organization {
    pub slug: String,
    pub name: String,
    /// The heading of its dashboard.
    pub dashboard: String,
    pub cell: CellId,
}

/// The target of a route.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Source {
    Namespace(Id),
    Project(Id),
    /// A plain page.
    Page,
}

/// A row of `gitlab_routes.routes` (DB-02).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Route {
    /// The request path, with a leading slash and no trailing one.
    pub path: String,
    /// The column `cell_id`: the owner, as the documents name it.
    pub cell: CellId,
    pub source: Source,
    /// The number of a row that is older than its UUID, where it still leads to the row (ID-11).
    pub number: Option<u64>,
    /// Whether visitors without a session may see it.
    pub public: bool,
    /// Whether it covers the path alone, and nothing below it.
    pub exact: bool,
    /// Whether a learn response names its own path instead of its namespace's.
    pub learned_by_own_path: bool,
}

impl Route {
    /// A route that covers what is below it, and that its namespace teaches.
    pub fn new(path: String, cell: CellId, source: Source, visibility: Visibility) -> Self {
        let public = visibility == Visibility::Public;
        Self { path, cell, source, number: None, public, exact: false, learned_by_own_path: false }
    }

    /// The route of a namespace; its path has no leading slash.
    pub fn to_namespace(path: &str, cell: &CellId, id: Id, visibility: Visibility) -> Self {
        Self::new(format!("/{path}"), cell.clone(), Source::Namespace(id), visibility)
    }

    /// The route of a project, `group/project`.
    pub fn to_project(path: &str, cell: &CellId, id: Id, visibility: Visibility) -> Self {
        Self::new(format!("/{path}"), cell.clone(), Source::Project(id), visibility)
    }
}

/// `gitlab_admin.per_cell_application_settings`: the row of each cell that has one, by key.
pub type CellSettings = BTreeMap<CellId, BTreeMap<String, String>>;

/// A project as API paths name it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ProjectReference {
    Id(Id),
    /// `group/project`.
    Path(String),
}

/// A row that covers a path, and whether the rows below it agree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Covering {
    pub route: Route,
    /// Whether everything below the row is on the row's cell.
    pub uniform: bool,
}

/// Every prefix of a path that ends with a segment, from the shortest to the path itself.
pub fn prefixes(path: &str) -> impl Iterator<Item = &str> {
    let ends = path.bytes().enumerate().skip(1).filter(|(_, byte)| *byte == b'/').map(|(at, _)| at);
    ends.chain(std::iter::once(path.len())).map(|end| &path[..end])
}

/// Whether a user, or a visitor without a session, may see something with this visibility and these
/// members (PR-01).
pub fn may_see(user: Option<&User>, visibility: Visibility, members: &BTreeSet<String>) -> bool {
    visibility == Visibility::Public
        || user.is_some_and(|user| user.admin || members.contains(&user.name))
}
