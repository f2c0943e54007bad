//! The entries of a population.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use crate::CellId;
use crate::version::Version;

/// Who may see a group or a project.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Visibility {
    /// Everybody, signed in or not.
    Public,
    /// Its members; for all others it does not exist (PR-01).
    Private,
}

/// Somebody with an account.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Person {
    /// The name with which they sign in.
    pub name: String,
    /// The password.
    pub password: String,
    /// Slug of the default organization; `None` is the meta organization `GitLab.com Public`
    /// (OR-02, OR-05).
    pub default_organization: Option<String>,
    /// Whether they may enter the Admin Area.
    pub admin: bool,
    /// A personal access token.
    pub token: Option<String>,
}

/// Where a population places something.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Placement {
    /// The cell, as the documents name it.
    pub cell: CellId,
    /// Whether the latest cell takes its place in an installation that does not have it; otherwise
    /// such an installation is refused.
    pub or_latest: bool,
}

/// An organization; it lives on exactly one cell (RT-11).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlannedOrganization {
    /// Its name in paths.
    pub slug: String,
    /// Its name on pages.
    pub name: String,
    /// The headline of its dashboard.
    pub dashboard: String,
    /// The cell of all its namespaces.
    pub placement: Placement,
}

/// What decides on which cell a namespace lives.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Home {
    /// An organization, by its slug.
    Organization(String),
    /// `GitLab.com Public`: the latest cell.
    Public,
    /// A cell, as the documents name it; the namespace belongs to `GitLab.com Public` all the same.
    Cell(CellId),
}

impl From<&str> for Home {
    fn from(slug: &str) -> Self {
        Self::Organization(slug.to_owned())
    }
}

impl From<CellId> for Home {
    fn from(cell: CellId) -> Self {
        Self::Cell(cell)
    }
}

/// A top-level namespace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlannedNamespace {
    /// Its path, without slashes.
    pub path: String,
    /// Its name on pages.
    pub name: String,
    /// Its id; `None` is chosen when the fleet starts.
    pub id: Option<u64>,
    /// Where it lives.
    pub home: Home,
    /// Who may see it.
    pub visibility: Visibility,
    /// Who may see it, and all its projects, while it is private.
    pub members: BTreeSet<String>,
    /// Its projects.
    pub projects: Vec<PlannedProject>,
}

/// A project of a namespace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlannedProject {
    /// Its path within the namespace.
    pub path: String,
    /// Its name.
    pub title: String,
    /// The headline of its page.
    pub heading: String,
    /// Its id; `None` is chosen when the fleet starts.
    pub id: Option<u64>,
    /// Who may see it.
    pub visibility: Visibility,
    /// Who may see it, beside the namespace's members, while it is private.
    pub members: BTreeSet<String>,
    /// A cell other than its namespace's (RT-14).
    pub cell: Option<CellId>,
    /// Whether a learn response names the project's path, not its namespace's.
    pub learnt_by_own_path: bool,
    /// How many pipelines ran.
    pub pipelines: u64,
    /// What waits in it for whom, by user name.
    pub work: BTreeMap<String, Work>,
}

/// The counters at the top of each page.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Work {
    /// To-do items.
    pub todos: u32,
    /// Assigned issues.
    pub issues: u32,
    /// Assigned merge requests.
    pub merge_requests: u32,
}

impl std::ops::Add for Work {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            todos: self.todos + other.todos,
            issues: self.issues + other.issues,
            merge_requests: self.merge_requests + other.merge_requests,
        }
    }
}

/// A further row of the routes table: a path of any shape, served as a simple public page (RT-10).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlannedRoute {
    /// The path as it stands in a request, byte for byte, with a leading slash.
    pub path: String,
    /// The owner, as the documents name it.
    pub cell: CellId,
    /// Only this very path, not what is below it (LN-06).
    pub exact: bool,
}

/// An endpoint that only cells of a certain version can decode (UN-01, UN-02).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlannedEndpoint {
    /// The path as it stands in a request.
    pub path: String,
    /// The first version that knows it.
    pub since: Version,
    /// The cell that serves it in the buffering protocol, to which the latest cell sends what it is
    /// sent (UN-03); `None` is the latest cell itself.
    pub owner: Option<CellId>,
}
