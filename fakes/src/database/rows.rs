//! The rows of the tables.

use std::collections::{BTreeMap, BTreeSet};

use crate::CellId;
use crate::ids::Id;
use crate::population::{Visibility, Work};

/// A row of `gitlab_users.users` (DB-01, OR-16).
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct User {
    pub(crate) id: Id,
    pub(crate) name: String,
    pub(crate) password: String,
    /// Slug; `None` is `GitLab.com Public`.
    pub(crate) default_organization: Option<String>,
    pub(crate) admin: bool,
}

impl User {
    /// Whether the user may use global pages (GL-05).
    pub(crate) fn is_legacy(&self) -> bool {
        self.default_organization.is_none()
    }
}

/// A row of `gitlab_routes.organizations`: an organization and its cell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Organization {
    pub(crate) slug: String,
    pub(crate) name: String,
    /// The heading of its dashboard.
    pub(crate) dashboard: String,
    pub(crate) cell: CellId,
}

/// The target of a route.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Source {
    /// A namespace, by id.
    Namespace(Id),
    /// A project, by id.
    Project(Id),
    /// A plain page.
    Page,
}

/// A row of `gitlab_routes.routes` (DB-02).
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Route {
    /// The request path, with a leading slash and no trailing one.
    pub(crate) path: String,
    /// The column `cell_id`: the owner, as the documents name it.
    pub(crate) cell: CellId,
    pub(crate) source: Source,
    /// The number of a row that is older than its UUID, where it still leads to the row (ID-11).
    pub(crate) number: Option<u64>,
    /// Whether visitors without a session may see it.
    pub(crate) public: bool,
    /// Whether it covers the path alone, and nothing below it.
    pub(crate) exact: bool,
    /// Whether a learn response names its own path instead of its namespace's.
    pub(crate) learnt_by_own_path: bool,
}

impl Route {
    /// A route that covers what is below it, and that its namespace teaches.
    pub(crate) fn new(path: String, cell: CellId, source: Source, visibility: Visibility) -> Self {
        let public = visibility == Visibility::Public;
        Self { path, cell, source, number: None, public, exact: false, learnt_by_own_path: false }
    }
}

/// `gitlab_admin.per_cell_application_settings`: the row of each cell that has one, by key.
pub(crate) type CellSettings = BTreeMap<CellId, BTreeMap<String, String>>;

/// A project as API paths name it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum ProjectReference {
    Id(Id),
    /// `group/project`.
    Path(String),
}

/// A row that covers a path, and whether the rows below it agree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Covering {
    pub(crate) route: Route,
    /// Whether everything below the row is on the row's cell.
    pub(crate) uniform: bool,
}

/// A row of `gitlab_main.namespaces`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Namespace {
    pub(crate) id: Id,
    /// The number beside a UUID.
    pub(crate) number: Option<u64>,
    pub(crate) path: String,
    pub(crate) name: String,
    /// Slug; `None` is `GitLab.com Public`.
    pub(crate) organization: Option<String>,
    pub(crate) visibility: Visibility,
    pub(crate) members: BTreeSet<String>,
}

/// A row of `gitlab_main.projects`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Project {
    pub(crate) id: Id,
    /// The number beside a UUID.
    pub(crate) number: Option<u64>,
    /// `group/project`.
    pub(crate) path: String,
    pub(crate) title: String,
    pub(crate) heading: String,
    pub(crate) organization: Option<String>,
    pub(crate) visibility: Visibility,
    /// Members of the project and of its namespace.
    pub(crate) members: BTreeSet<String>,
    pub(crate) work: BTreeMap<String, Work>,
}

/// A row of `gitlab_main.merge_requests`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct MergeRequest {
    pub(crate) id: Id,
    /// The number beside a UUID.
    pub(crate) number: Option<u64>,
    /// Its number within the project, from 1 on (ID-42).
    pub(crate) iid: u64,
    /// The column `project_id`.
    pub(crate) project: Id,
    /// The column `author_id`, a row of `gitlab_users.users`.
    pub(crate) author: Id,
    pub(crate) title: String,
}

/// A row of `gitlab_main.notes`: a comment on a merge request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Note {
    pub(crate) id: Id,
    /// The number beside a UUID.
    pub(crate) number: Option<u64>,
    /// The column `project_id`.
    pub(crate) project: Id,
    /// The column `noteable_id`, a row of `merge_requests`.
    pub(crate) merge_request: Id,
    /// The column `author_id`, a row of `gitlab_users.users`.
    pub(crate) author: Id,
    pub(crate) body: String,
}

/// The rows of one organization in a cell's own schemas.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct OrganizationRows {
    pub(crate) namespaces: Vec<Namespace>,
    /// Each with the number of its pipelines.
    pub(crate) projects: Vec<(Project, u64)>,
    pub(crate) merge_requests: Vec<MergeRequest>,
    pub(crate) notes: Vec<Note>,
}

impl OrganizationRows {
    /// The number of rows.
    pub(crate) fn len(&self) -> usize {
        self.namespaces.len() + self.projects.len() + self.merge_requests.len() + self.notes.len()
    }

    /// How many foreign keys lead to a row of these.
    pub(crate) fn references(&self) -> usize {
        let projects: BTreeSet<_> = self.projects.iter().map(|(project, _)| project.id).collect();
        let merge_requests: BTreeSet<_> = self.merge_requests.iter().map(|row| row.id).collect();
        let of_merge_requests =
            self.merge_requests.iter().filter(|row| projects.contains(&row.project)).count();
        let of_notes = self.notes.iter().map(|note| {
            usize::from(projects.contains(&note.project))
                + usize::from(merge_requests.contains(&note.merge_request))
        });
        of_merge_requests + of_notes.sum::<usize>()
    }
}

/// Whether a user, or a visitor without a session, may see something with this visibility and these
/// members (PR-01).
pub(crate) fn may_see(
    user: Option<&User>,
    visibility: Visibility,
    members: &BTreeSet<String>,
) -> bool {
    visibility == Visibility::Public
        || user.is_some_and(|user| user.admin || members.contains(&user.name))
}
