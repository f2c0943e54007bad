//! The owner of a request: the one place where an endpoint becomes a cell, for requests and
//! pre-flights.

use super::cell::Cell;
use super::decision::{LearnRule, Owner, RouteDecision};
use super::endpoint::{Asked, Endpoint, RunnerCall};
use super::path::is_at_or_below;
use super::request::{Form, Viewer, Visit};
use crate::CellId;
use crate::database::{Covering, Route, Source, Stored};
use crate::git::on_disk::Repository;
use crate::ids::{Id, IdTable};
use crate::plan::{Protocol, Version};
use crate::population::PlannedEndpoint;
use crate::wire::segments::is_reserved;

impl Cell {
    /// The route decision for what a pre-flight asks about. The path alone decides (LN-11, LN-23).
    pub(super) async fn decide_path(&self, asked: &Asked) -> Stored<RouteDecision> {
        match asked.endpoint {
            Endpoint::Root | Endpoint::Learn => Ok(RouteDecision::of(Owner::Any)),
            _ => match self.pinned(asked) {
                Some(decision) => Ok(decision),
                None => self.found(asked).await,
            },
        }
    }

    /// The route decision for a request.
    pub(super) async fn decide_request(
        &self,
        asked: &Asked,
        visit: &Visit,
        viewer: &Viewer,
    ) -> Stored<RouteDecision> {
        if self.installation.protocol() == Protocol::Learning {
            let mut decision = self.decide_path(asked).await?;
            decision.private |= asked.endpoint == Endpoint::Root;
            return Ok(decision);
        }
        Ok(match asked.endpoint {
            Endpoint::Root | Endpoint::Admin | Endpoint::Settings => {
                RouteDecision::of(Owner::Any).private()
            }
            Endpoint::Users => RouteDecision::of(Owner::Any),
            Endpoint::Learn => RouteDecision::of(Owner::Missing),
            // Only legacy users have global pages, and only the original installation renders them
            // (GL-05, GL-06).
            Endpoint::Dashboard | Endpoint::Search => {
                let legacy = viewer.user.as_ref().is_some_and(|user| user.is_legacy());
                RouteDecision::of(if legacy { self.latest() } else { Owner::Any }).private()
            }
            Endpoint::Groups => RouteDecision::of(self.owner_of_new_group(visit).await?).private(),
            Endpoint::Runners(call) => RouteDecision::of(self.owner_of_runner(call, visit).await?),
            Endpoint::ApiProjects if !visit.reads() => {
                let route = self.namespace_of(&visit.form()).await?;
                RouteDecision::of(route.map_or(Owner::Any, |route| Owner::Role(route.cell)))
            }
            _ => self.found(asked).await?,
        })
    }

    /// The owner of a new group: any cell serves the form; a submitted form belongs to the
    /// organization that its body names (BF-07).
    async fn owner_of_new_group(&self, visit: &Visit) -> Stored<Owner> {
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
    fn pinned(&self, asked: &Asked) -> Option<RouteDecision> {
        let (endpoint, path) = (asked.endpoint, &*asked.path);
        let sign_in = || Owner::Role(self.installation.plan.sign_in_cell.clone());
        match endpoint {
            // Drawn as `routable`, though it belongs to nobody.
            Endpoint::Dashboard => Some(RouteDecision {
                learn: Some(LearnRule {
                    path: "/dashboard".to_owned(),
                    exact: false,
                    source: "routable",
                }),
                ..RouteDecision::of(self.latest()).private()
            }),
            // Suggestions have a path below that of the search, and belong to any cell.
            Endpoint::Admin | Endpoint::Settings | Endpoint::Search => {
                Some(RouteDecision::of(self.latest()).private().fixed(path, true))
            }
            Endpoint::Users => Some(RouteDecision::of(sign_in()).fixed("/users", false)),
            Endpoint::Groups => {
                Some(RouteDecision::of(self.latest()).private().fixed("/groups", false))
            }
            Endpoint::ApiProjects | Endpoint::Runners(RunnerCall::Register) => {
                Some(RouteDecision::of(self.latest()).fixed(path, true))
            }
            Endpoint::Runners(_) => {
                Some(RouteDecision::of(self.latest()).fixed("/api/v4/jobs", false))
            }
            _ => None,
        }
    }

    /// Endpoints for which both protocols have the same owner.
    async fn found(&self, asked: &Asked) -> Stored<RouteDecision> {
        let path = &*asked.path;
        Ok(match asked.endpoint {
            Endpoint::AdminOfCell => match self.spelled(asked.param("cell")) {
                Some(cell) => RouteDecision::of(Owner::Node(cell))
                    .private()
                    .prefix(&format!("/admin/cells/{}", asked.param("cell")), "fixed"),
                None => RouteDecision::of(Owner::Missing),
            },
            Endpoint::RunnersOfCell => self.decide_runners_cell(asked.param("cell")),
            Endpoint::Organization => {
                self.organizations(asked.param("slug"), "/organizations").await?.private()
            }
            Endpoint::OrganizationGraphql => {
                self.organizations(asked.param("slug"), "/api/organizations").await?
            }
            Endpoint::ApiProject => match asked.project() {
                Some(project) => decide_by_row(path, self.database.project_route(&project).await?),
                None => RouteDecision::of(Owner::Missing),
            },
            Endpoint::ApiGroup => match asked.id() {
                Some(id) => decide_by_row(path, self.database.namespace_route(id).await?),
                None => RouteDecision::of(Owner::Missing),
            },
            Endpoint::ApiMergeRequest => match self.cell_of_merge_request(asked.id()).await? {
                Some(cell) => RouteDecision {
                    learn: Some(exactly(path)),
                    ..RouteDecision::of(Owner::Role(cell))
                },
                None => RouteDecision::of(Owner::Missing),
            },
            Endpoint::Repository(_) if self.repository(path).is_none() => {
                let project = path.split_once(".git/").map_or(path, |(project, _)| project);
                self.decide_project(path, project).await?
            }
            Endpoint::ApiProjects | Endpoint::Place | Endpoint::Repository(_) => {
                self.place(path).await?
            }
            _ => RouteDecision::of(Owner::Any),
        })
    }

    /// The cell of a merge request that an id alone names: what is written down about the row comes
    /// before what its id says (ID-23, ID-34).
    async fn cell_of_merge_request(&self, id: Option<Id>) -> Stored<Option<CellId>> {
        let Some(id) = id else { return Ok(None) };
        if let Some(cell) = self.database.row_cell(IdTable::MergeRequests, id).await? {
            return Ok(Some(cell));
        }
        self.database.drawn_by(IdTable::MergeRequests, &id).await
    }

    /// The route of the namespace that the body of a new project names.
    pub(super) async fn namespace_of(&self, form: &Form) -> Stored<Option<Route>> {
        match form.filled("namespace_id") {
            Some(named) => self.namespace_named(named).await,
            None => Ok(None),
        }
    }

    /// The route of a namespace, by its id or path.
    pub(super) async fn namespace_named(&self, named: &str) -> Stored<Option<Route>> {
        if let Ok(id) = named.parse() {
            return self.database.namespace_route(id).await;
        }
        let path = format!("/{}", named.trim_matches('/'));
        let covering = self.database.routes(&path).await?.pop().map(|covering| covering.route);
        Ok(covering
            .filter(|route| route.path == path && matches!(route.source, Source::Namespace(_))))
    }

    /// A path below an organization's slug. A missing organization has no owner and is not private.
    async fn organizations(&self, slug: &str, parent: &str) -> Stored<RouteDecision> {
        Ok(match self.database.organization(slug).await? {
            Some(organization) => RouteDecision::of(Owner::Role(organization.cell))
                .prefix(&format!("{parent}/{slug}"), "routable"),
            None => RouteDecision::of(Owner::Missing),
        })
    }

    /// The repository at or above this path.
    pub fn repository(&self, path: &str) -> Option<&Repository> {
        self.installation
            .plan
            .repositories
            .iter()
            .find(|repository| is_at_or_below(path, &repository.path))
    }

    /// The route decision that the routes table and the repositories give for a path.
    pub(super) async fn place(&self, path: &str) -> Stored<RouteDecision> {
        let covered = self.covered(path).await?;
        Ok(match self.repository(path) {
            Some(repository) => self.decide_repository(repository, covered),
            None => covered,
        })
    }

    /// The repository of a project is where the project is, and as private.
    async fn decide_project(&self, path: &str, project: &str) -> Stored<RouteDecision> {
        let covered = self.covered(project).await?;
        let is_project =
            |route: &Route| route.path == project && matches!(route.source, Source::Project(_));
        if !covered.route.as_ref().is_some_and(is_project) {
            return Ok(RouteDecision::of(Owner::Missing));
        }
        // What covers the project alone does not cover its repository.
        let covers = covered.learn.as_ref().is_some_and(|rule| is_at_or_below(path, &rule.path));
        Ok(if covers { covered } else { covered.prefix(&format!("{project}.git"), "routable") })
    }

    /// A repository belongs to its cell. A router may cache the whole namespace where that is on
    /// the same cell, and only the repository otherwise.
    fn decide_repository(&self, repository: &Repository, covered: RouteDecision) -> RouteDecision {
        let owner = Owner::Role(self.installation.folders.cell_of(repository));
        if covered.owner == owner && covered.learn.as_ref().is_some_and(|rule| !rule.exact) {
            return RouteDecision { private: false, ..covered };
        }
        RouteDecision::of(owner).prefix(&repository.path, "routable")
    }

    /// The route decision that the routes table gives for a path.
    async fn covered(&self, path: &str) -> Stored<RouteDecision> {
        if let Some(endpoint) = self.added_endpoint(path) {
            return Ok(RouteDecision::of(self.owner_of_added(endpoint)).fixed(path, true));
        }
        let mut covering = self.database.routes(path).await?;
        let Some(longest) = covering.pop() else {
            // The latest deployment may know what an older cell cannot decode (UN-01).
            let undecodable = is_reserved(path) && self.version() < Version::LATEST;
            return Ok(if undecodable {
                RouteDecision::of(self.latest()).fixed(path, true)
            } else {
                RouteDecision::of(Owner::Missing)
            });
        };
        let (learn, cache_prefix) = cacheable(path, covering, &longest);
        Ok(RouteDecision {
            owner: Owner::Role(longest.route.cell.clone()),
            learn: Some(learn),
            cache_prefix,
            private: !longest.route.public,
            route: Some(longest.route),
        })
    }

    /// The endpoint at this path that only some versions know.
    pub(super) fn added_endpoint(&self, path: &str) -> Option<&PlannedEndpoint> {
        self.installation.plan.population.endpoints.iter().find(|endpoint| endpoint.path == path)
    }

    /// The owner of an added endpoint: the latest cell. In the buffering protocol the latest cell
    /// may redirect to another owner, and older cells redirect to the latest (UN-03). The learning
    /// protocol has no such second step.
    fn owner_of_added(&self, endpoint: &PlannedEndpoint) -> Owner {
        let buffering = self.installation.protocol() == Protocol::Buffering;
        let Some(owner) = endpoint.owner.as_ref().filter(|_| buffering) else {
            return self.latest();
        };
        let decodes = self.node == *self.installation.latest()
            || self.role() == *owner
            || self.version() >= endpoint.since;
        if decodes { Owner::Role(owner.clone()) } else { self.latest() }
    }

    /// The version that the cell runs. Versions follow the roles, so the role is read only where
    /// versions differ.
    fn version(&self) -> Version {
        let older = &self.installation.plan.older;
        if older.is_empty() {
            Version::LATEST
        } else {
            older.get(&self.role()).copied().unwrap_or(Version::LATEST)
        }
    }

    /// The latest cell. It is never cast, so its node is its role.
    fn latest(&self) -> Owner {
        Owner::Node(self.installation.latest().clone())
    }

    /// The cell that a path of the Admin Area names: by slug, by id, or by the alias of the
    /// original cell (AD-05).
    pub(super) fn spelled(&self, spelling: &str) -> Option<CellId> {
        if spelling == "cell_0" {
            return Some(self.installation.latest().clone());
        }
        let cells = &self.installation.plan.topology.cells;
        cells.iter().find(|cell| spelling == cell.slug() || spelling == cell.id()).cloned()
    }
}

/// A path that names the row of a route by its id.
pub fn decide_by_row(path: &str, route: Option<Route>) -> RouteDecision {
    let Some(route) = route else { return RouteDecision::of(Owner::Missing) };
    let owner = Owner::Role(route.cell.clone());
    RouteDecision { learn: Some(exactly(path)), route: Some(route), ..RouteDecision::of(owner) }
}

/// The rule that covers a path alone.
fn exactly(path: &str) -> LearnRule {
    LearnRule { path: path.to_owned(), exact: true, source: "routable" }
}

/// What a router may cache about a path: the widest namespace that is wholly on the same cell
/// . `shorter` are the rows that cover the path, except for the longest.
fn cacheable(
    path: &str,
    shorter: Vec<Covering>,
    longest: &Covering,
) -> (LearnRule, Option<String>) {
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
    // The value of the cache header has no quoting, so a prefix with its delimiters is left out.
    let taught = !exact && !prefix.contains([',', '}']);
    let cached = taught.then(|| format!("{prefix}/"));
    let learned = if row.learned_by_own_path && !exact { row.path.as_str() } else { prefix };
    (LearnRule { path: learned.to_owned(), exact, source: "routable" }, cached)
}
