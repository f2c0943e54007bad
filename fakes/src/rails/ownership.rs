//! Whose a request is: the one place where an endpoint becomes a cell, for requests and
//! pre-flights.

use super::Cell;
use super::endpoint::{Endpoint, is_reserved};
use super::request::Visit;
use super::session::Viewer;
use crate::database::{Covering, Route, Source, StoreError};
use crate::mutants::Mutation;
use crate::plan::{Protocol, Repository, Version};
use crate::{CellId, population};

/// The cell that is to respond.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Owner {
    /// Whichever is asked.
    Any,
    /// A cell as the topology names it: one that is never cast, or that the path itself names.
    Node(CellId),
    /// A cell as the documents name it.
    Role(CellId),
    /// There is nothing to own.
    Nobody,
}

/// What a learn response lets a router remember (LN-04).
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Memory {
    pub(super) path: String,
    pub(super) exact: bool,
    pub(super) source: &'static str,
}

/// What is known about a path before anything is done.
#[derive(Clone, Debug)]
pub(super) struct RouteDecision {
    pub(super) owner: Owner,
    /// What a learn response says beside the cell.
    pub(super) memory: Option<Memory>,
    /// The prefix of the cache header (CA-02).
    pub(super) cached: Option<String>,
    /// Whether a visit needs a session.
    pub(super) private: bool,
    /// The row of the routes table, where one was needed.
    pub(super) route: Option<Route>,
}

impl RouteDecision {
    fn of(owner: Owner) -> Self {
        Self { owner, memory: None, cached: None, private: false, route: None }
    }

    fn private(mut self) -> Self {
        self.private = true;
        self
    }

    fn fixed(mut self, path: impl Into<String>, exact: bool) -> Self {
        self.memory = Some(Memory { path: path.into(), exact, source: "fixed" });
        self
    }

    /// Remembered as a prefix, in both protocols.
    fn prefix(mut self, path: &str, source: &'static str) -> Self {
        self.memory = Some(Memory { path: path.to_owned(), exact: false, source });
        self.cached = Some(format!("{path}/"));
        self
    }
}

impl Cell {
    /// The ground of a pre-flight's path: decided by the path alone (LN-11, LN-23).
    pub(super) async fn decide_path(&self, path: &str) -> Result<RouteDecision, StoreError> {
        match Endpoint::decode(path) {
            Endpoint::Root | Endpoint::Learn | Endpoint::Cable => Ok(RouteDecision::of(Owner::Any)),
            endpoint => match self.pinned(&endpoint, path) {
                Some(decision) => Ok(decision),
                None => self.found(&endpoint, path).await,
            },
        }
    }

    /// The ground of a request.
    pub(super) async fn decide_request(
        &self,
        endpoint: &Endpoint<'_>,
        visit: &Visit,
        viewer: &Viewer,
    ) -> Result<RouteDecision, StoreError> {
        if self.installation.protocol() == Protocol::Learning {
            let mut decision = self.decide_path(&visit.path).await?;
            decision.private |= *endpoint == Endpoint::Root;
            return Ok(decision);
        }
        Ok(match endpoint {
            Endpoint::Root if self.has(Mutation::CacheHeaderOnTheRoot) => RouteDecision {
                cached: Some("/".to_owned()),
                ..RouteDecision::of(Owner::Any).private()
            },
            Endpoint::Root | Endpoint::Admin | Endpoint::Settings(_) => {
                RouteDecision::of(Owner::Any).private()
            }
            Endpoint::Users(_) if self.has(Mutation::SignInOnTheLegacyCellOnly) => {
                RouteDecision::of(self.latest())
            }
            Endpoint::Users(_) => RouteDecision::of(Owner::Any),
            Endpoint::Learn => RouteDecision::of(Owner::Nobody),
            // Only legacy users have a global dashboard, and only the original installation renders
            // it (GL-05).
            Endpoint::Dashboard => {
                let legacy = viewer.user.as_ref().is_some_and(|user| user.is_legacy())
                    && !self.has(Mutation::EveryCellHasTheDashboard);
                RouteDecision::of(if legacy { self.latest() } else { Owner::Any }).private()
            }
            Endpoint::Groups => RouteDecision::of(self.owner_of_new_group(visit).await?).private(),
            endpoint => self.found(endpoint, &visit.path).await?,
        })
    }

    /// The form is anybody's; what it is sent for belongs to the organization that the body names
    /// (BF-07).
    async fn owner_of_new_group(&self, visit: &Visit) -> Result<Owner, StoreError> {
        if visit.reads() {
            return Ok(Owner::Any);
        }
        Ok(match visit.form().filled("organization") {
            None => self.latest(),
            Some(slug) => self
                .database
                .organization(slug)
                .await?
                .map_or(Owner::Any, |organization| Owner::Role(organization.cell)),
        })
    }

    /// Endpoints that the learning protocol pins to a cell (LN-16, LN-19, LN-20).
    fn pinned(&self, endpoint: &Endpoint<'_>, path: &str) -> Option<RouteDecision> {
        let whoever = *endpoint == Endpoint::Dashboard
            && self.has(Mutation::EveryCellHasTheDashboard)
            || self.has(Mutation::FixedToWhoeverIsAsked);
        let pinned = |owner: Owner| if whoever { Owner::Node(self.node.clone()) } else { owner };
        let sign_in = || Owner::Role(self.installation.plan.sign_in_cell.clone());
        match endpoint {
            Endpoint::Dashboard | Endpoint::Admin | Endpoint::Settings(_) => {
                Some(RouteDecision::of(pinned(self.latest())).private().fixed(path, true))
            }
            Endpoint::Users(_) => Some(RouteDecision::of(pinned(sign_in())).fixed("/users", false)),
            Endpoint::Groups => {
                Some(RouteDecision::of(pinned(self.latest())).private().fixed("/groups", false))
            }
            _ => None,
        }
    }

    /// Endpoints for which both protocols have the same owner.
    async fn found(
        &self,
        endpoint: &Endpoint<'_>,
        path: &str,
    ) -> Result<RouteDecision, StoreError> {
        Ok(match endpoint {
            Endpoint::AdminOfCell { spelling, .. } => match self.spelled(spelling) {
                Some(cell) => RouteDecision::of(Owner::Node(cell))
                    .private()
                    .prefix(&format!("/admin/cells/{spelling}"), "fixed"),
                None => RouteDecision::of(Owner::Nobody),
            },
            Endpoint::Organization { rest: "/groups", .. }
                if self.has(Mutation::NewGroupsOnTheLegacyCell) =>
            {
                RouteDecision::of(self.latest()).private().fixed(path, true)
            }
            Endpoint::Organization { slug, .. } => {
                self.organizations(slug, "/organizations").await?.private()
            }
            Endpoint::OrganizationGraphql { slug } => {
                self.organizations(slug, "/api/organizations").await?
            }
            Endpoint::ApiProject { project, .. } => {
                match self.database.project_route(project).await? {
                    Some(route) => RouteDecision {
                        memory: Some(Memory {
                            path: path.to_owned(),
                            exact: true,
                            source: "routable",
                        }),
                        owner: Owner::Role(route.cell.clone()),
                        route: Some(route),
                        ..RouteDecision::of(Owner::Nobody)
                    },
                    None => RouteDecision::of(Owner::Nobody),
                }
            }
            Endpoint::Place => self.place(path).await?,
            _ => RouteDecision::of(Owner::Any),
        })
    }

    /// What lies under an organization's slug. The missing one is nobody's, and so not private
    /// either.
    async fn organizations(&self, slug: &str, parent: &str) -> Result<RouteDecision, StoreError> {
        Ok(match self.database.organization(slug).await? {
            Some(organization) => RouteDecision::of(Owner::Role(organization.cell))
                .prefix(&format!("{parent}/{slug}"), "routable"),
            None => RouteDecision::of(Owner::Nobody),
        })
    }

    async fn place(&self, path: &str) -> Result<RouteDecision, StoreError> {
        let covered = self.covered(path).await?;
        Ok(match self.repository(path) {
            Some(repository) => self.of_repository(repository, covered),
            None => covered,
        })
    }

    /// A repository belongs to its cell. Where that is its namespace's too, the whole namespace may
    /// be remembered, and otherwise no more than the repository.
    fn of_repository(&self, repository: &Repository, covered: RouteDecision) -> RouteDecision {
        let owner = Owner::Role(repository.cell.clone());
        if covered.owner == owner && covered.memory.as_ref().is_some_and(|memory| !memory.exact) {
            return RouteDecision { private: false, ..covered };
        }
        RouteDecision::of(owner).prefix(&repository.path, "routable")
    }

    /// What the routes table knows about a path.
    async fn covered(&self, path: &str) -> Result<RouteDecision, StoreError> {
        if let Some(endpoint) = self.added_endpoint(path) {
            return Ok(RouteDecision::of(self.owner_of_added(endpoint)).fixed(path, true));
        }
        let mut covering = self.database.routes(path).await?;
        let Some(longest) = covering.pop() else {
            // What an older cell cannot decode may be something that the latest deployment knows
            // (UN-01).
            let undecodable = is_reserved(path) && self.version() < Version::LATEST;
            return Ok(if undecodable {
                RouteDecision::of(self.latest()).fixed(path, true)
            } else {
                RouteDecision::of(Owner::Nobody)
            });
        };
        let (memory, cached) = remembered(path, covering, &longest);
        Ok(RouteDecision {
            owner: self.owner_of_route(&longest.route),
            memory: Some(memory),
            cached,
            private: !longest.route.public || self.has(Mutation::PublicPlacesNeedASession),
            route: Some(longest.route),
        })
    }

    fn owner_of_route(&self, route: &Route) -> Owner {
        let latest = self.installation.latest();
        if self.has(Mutation::LegacyCellKeepsItsRegion) && route.cell.region() == latest.region() {
            return Owner::Role(latest.clone());
        }
        let copied = self.has(Mutation::CopiesPublicProjects)
            && route.public
            && matches!(route.source, Source::Project(_));
        if copied { Owner::Any } else { Owner::Role(route.cell.clone()) }
    }

    /// The endpoint of this path that not every version knows.
    pub(super) fn added_endpoint(&self, path: &str) -> Option<&population::Endpoint> {
        self.installation.plan.population.endpoints.iter().find(|endpoint| endpoint.path == path)
    }

    /// The latest cell serves what was added. In the buffering protocol it may know a better one,
    /// to which cells that are old send by way of the latest (UN-03); learning has no such second
    /// step.
    fn owner_of_added(&self, endpoint: &population::Endpoint) -> Owner {
        let buffering = self.installation.protocol() == Protocol::Buffering;
        let Some(owner) = endpoint.owner.as_ref().filter(|_| buffering) else {
            return self.latest();
        };
        let decodes = self.node == *self.installation.latest()
            || self.role() == *owner
            || self.version() >= endpoint.since;
        if decodes { Owner::Role(owner.clone()) } else { self.latest() }
    }

    /// What the cell runs. Versions are cast with the roles, so the role is asked for only where
    /// versions differ.
    fn version(&self) -> Version {
        let older = &self.installation.plan.older;
        if older.is_empty() {
            Version::LATEST
        } else {
            older.get(&self.role()).copied().unwrap_or(Version::LATEST)
        }
    }

    /// The latest cell is never cast: its seat is its role.
    fn latest(&self) -> Owner {
        if self.has(Mutation::RegionsFirstCellForUs0) {
            return Owner::Node(CellId::new(self.node.region().clone(), 0));
        }
        Owner::Node(self.installation.latest().clone())
    }

    /// The cell that a path of the Admin Area spells: by slug, by id, or by the alias of the
    /// original one (AD-05).
    fn spelled(&self, spelling: &str) -> Option<CellId> {
        if spelling == "cell_0" {
            return Some(self.installation.latest().clone());
        }
        let cells = &self.installation.plan.topology.cells;
        cells.iter().find(|cell| spelling == cell.slug() || spelling == cell.id()).cloned()
    }
}

/// What a router may remember about a path: as much as lies on the same cell, a whole namespace if
/// it can. `shorter` are the rows that cover the path beside the longest.
fn remembered(path: &str, shorter: Vec<Covering>, longest: &Covering) -> (Memory, Option<String>) {
    let row = &longest.route;
    let widest = shorter.into_iter().map(|covering| (covering.uniform, covering.route)).find(
        |(uniform, wider)| {
            *uniform
                && wider.cell == row.cell
                && matches!(wider.source, Source::Namespace(_))
                && row.source != Source::Page
        },
    );
    let narrow = row.exact || matches!(row.source, Source::Namespace(_)) && !longest.uniform;
    let (prefix, exact) = match &widest {
        Some((_, wider)) => (wider.path.as_str(), false),
        None if narrow => (path, true),
        None => (row.path.as_str(), false),
    };
    // The value of the cache header has no quoting: what cannot stand there is not taught.
    let taught = !exact && !prefix.contains([',', '}']);
    let cached = taught.then(|| format!("{prefix}/"));
    let learnt = if row.learnt_by_own_path && !exact { row.path.as_str() } else { prefix };
    (Memory { path: learnt.to_owned(), exact, source: "routable" }, cached)
}
