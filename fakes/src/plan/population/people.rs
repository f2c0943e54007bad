//! The entries of a population.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use crate::CellId;
use crate::plan::Version;
use crate::rows::{Visibility, Work};

/// A user with an account.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Person {
    /// The name with which they sign in.
    pub name: String,
    pub password: String,
    /// Slug of the default organization; `None` is the meta organization `GitLab.com Public`
    /// (OR-02, OR-05).
    pub default_organization: Option<String>,
    /// Whether they can open the Admin Area.
    #[serde(default)]
    pub admin: bool,
    /// A personal access token.
    pub token: Option<String>,
}

/// The cell that a population puts an organization on.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(from = "CellId")]
pub struct Placement {
    /// The cell, as the documents name it.
    pub cell: CellId,
    /// Whether an installation without this cell uses the latest cell; otherwise it is refused.
    pub or_latest: bool,
}

/// The organizations of the documents exist in every installation.
impl From<CellId> for Placement {
    fn from(cell: CellId) -> Self {
        Self { cell, or_latest: true }
    }
}

/// An organization of a population. It is on exactly one cell (RT-11).
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlannedOrganization {
    /// Its name in paths.
    pub slug: String,
    /// Its name on pages.
    pub name: String,
    /// The headline of its dashboard.
    pub dashboard: String,
    /// The cell of all its namespaces.
    #[serde(rename = "cell")]
    pub placement: Placement,
}

/// What decides which cell a namespace is on.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(from = "String")]
pub enum Home {
    /// An organization, by its slug.
    Organization(String),
    /// `GitLab.com Public`: the latest cell.
    #[default]
    Public,
    /// A cell, as the documents name it. The namespace still belongs to `GitLab.com Public`.
    Cell(CellId),
}

impl From<String> for Home {
    fn from(slug: String) -> Self {
        Self::Organization(slug)
    }
}

impl From<&str> for Home {
    fn from(slug: &str) -> Self {
        slug.to_owned().into()
    }
}

impl From<CellId> for Home {
    fn from(cell: CellId) -> Self {
        Self::Cell(cell)
    }
}

/// A top-level namespace of a population.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlannedNamespace {
    /// Its path, without slashes.
    pub path: String,
    /// Its name on pages.
    pub name: String,
    /// Its id; for `None`, the fleet chooses one when it starts.
    pub id: Option<u64>,
    /// What decides which cell it is on.
    #[serde(rename = "organization", default)]
    pub home: Home,
    /// Who may see it.
    pub visibility: Visibility,
    /// Who may see it and all its projects while it is private.
    #[serde(default)]
    pub members: BTreeSet<String>,
    pub projects: Vec<PlannedProject>,
}

/// A project of a population's namespace.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlannedProject {
    /// Its path within the namespace.
    pub path: String,
    /// Its name.
    pub title: String,
    /// The headline of its page.
    pub heading: String,
    /// Its id; for `None`, the fleet chooses one when it starts.
    pub id: Option<u64>,
    /// Who may see it.
    pub visibility: Visibility,
    /// Who may see it while it is private, in addition to the namespace's members.
    #[serde(default)]
    pub members: BTreeSet<String>,
    /// Its cell, where that differs from its namespace's (RT-14).
    pub cell: Option<CellId>,
    /// Whether a learn response names the project's path instead of its namespace's.
    #[serde(default)]
    pub learned_by_own_path: bool,
    /// How many pipelines ran.
    #[serde(default)]
    pub pipelines: u64,
    /// The counters of each user in it, by user name.
    #[serde(default)]
    pub work: BTreeMap<String, Work>,
}

/// An additional row of the routes table: a path of any shape, served as a simple public page
/// (RT-10).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlannedRoute {
    /// The path as in a request, byte for byte, with a leading slash.
    pub path: String,
    /// The owner, as the documents name it.
    pub cell: CellId,
    /// Whether it covers this path alone, without the paths below it (LN-06).
    pub exact: bool,
}

/// An endpoint that only cells of a certain version can decode (UN-01, UN-02).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlannedEndpoint {
    /// The path as in a request.
    pub path: String,
    /// The first version that knows it.
    pub since: Version,
    /// The cell that serves it in the buffering protocol: the latest cell redirects there (UN-03).
    /// `None` is the latest cell itself.
    pub owner: Option<CellId>,
}
