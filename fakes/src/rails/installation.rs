//! What all cells of one fleet share.

use std::sync::Arc;

use tokio::sync::watch;

use super::notes::Notes;
use crate::database::{
    Change, Connection, InMemory, Namespace, Organization, OwnDatabases, OwnInMemory, Project,
    Route, SharedDatabases, Source, User, Way,
};
use crate::mutants::Mutation;
use crate::plan::FleetPlan;
use crate::population::{
    FIXTURE_IDS_END, Home, Placement, PlannedNamespace, Population, PopulationError, Visibility,
};
use crate::protocol::{LoginBy, Protocol};
use crate::{Casting, CellId, Journal, Topology};

/// The databases of one fleet and what its cells are told when they start.
///
/// All application logic thinks in roles, the cells as the documents name them; see [`Casting`].
#[derive(Debug)]
pub struct Installation {
    pub(super) plan: FleetPlan,
    pub(super) casting: Arc<Casting>,
    pub(super) journal: Arc<Journal>,
    pub(super) shared: Arc<dyn SharedDatabases>,
    pub(super) own: Arc<dyn OwnDatabases>,
    /// The implementation behind `shared`, whose replication can be held back.
    pub(super) replication: Arc<InMemory>,
    /// What broken cells keep for themselves.
    pub(super) notes: Notes,
    /// What outlives its request (a WebSocket) ends with this.
    pub(super) life: watch::Sender<()>,
}

impl Installation {
    /// Opens the databases and fills them with the plan's population.
    ///
    /// # Errors
    /// Where the population contradicts itself or the topology.
    pub fn new(
        plan: &FleetPlan,
        journal: Arc<Journal>,
        casting: Arc<Casting>,
    ) -> Result<Arc<Self>, PopulationError> {
        plan.population.check(&plan.topology)?;
        let own = OwnInMemory::new(&plan.topology.cells);
        let rows = Filling {
            topology: &plan.topology,
            population: &plan.population,
            own: &own,
            last_id: 0,
            rows: Vec::new(),
        }
        .fill();
        let replication =
            InMemory::new(plan.topology.regions(), rows, plan.lag, plan.lagging.clone())
                .map_err(|error| PopulationError(error.to_string()))?;
        let replication = Arc::new(replication);
        Ok(Arc::new(Self {
            plan: FleetPlan {
                sign_in_cell: present(&plan.topology, &plan.sign_in_cell),
                sign_up_cell: present(&plan.topology, &plan.sign_up_cell),
                ..plan.clone()
            },
            casting,
            journal,
            shared: replication.clone(),
            own: Arc::new(own),
            replication,
            notes: Notes::default(),
            life: watch::Sender::new(()),
        }))
    }

    /// The latest cell, which is also the original installation that has the global pages (GL-06).
    pub(super) fn latest(&self) -> &CellId {
        &self.plan.topology.latest
    }

    pub(super) fn protocol(&self) -> Protocol {
        self.plan.protocol
    }

    /// Whether the cells make this mistake.
    pub(super) fn has(&self, mutant: Mutation) -> bool {
        self.plan.has(mutant)
    }

    /// Whether there is one cell only (SC-01).
    pub(super) fn is_alone(&self) -> bool {
        self.plan.topology.cells.len() == 1
    }

    pub(super) fn login_by(&self) -> LoginBy {
        let drawn = match self.plan.protocol {
            Protocol::Buffering => LoginBy::AskedCell,
            Protocol::Learning => LoginBy::Owner,
        };
        self.plan.login_by.unwrap_or(drawn)
    }

    pub(super) fn connection(&self, node: &CellId) -> Connection {
        let primary_region = self.plan.topology.primary_region.clone();
        let way = if self.has(Mutation::ReadsFromThePrimary) {
            Way::ReadsPrimary
        } else if self.has(Mutation::ReadsAbroad) {
            Way::ReadsPrimarysReplica
        } else if self.has(Mutation::WritesInItsOwnRegion) {
            Way::WritesAtHome
        } else if self.has(Mutation::PrimaryInEachRegion) {
            Way::PrimaryAtHome
        } else if self.has(Mutation::OneCiDatabase) {
            Way::SharesCi
        } else if self.has(Mutation::OwnersBesideTheRoutes) {
            Way::OwnersBesideRoutes
        } else {
            Way::Sound
        };
        let (shared, own) = (self.shared.clone(), self.own.clone());
        Connection::new(
            node.clone(),
            primary_region,
            way,
            self.plan.write_distance,
            shared,
            own,
            self.journal.clone(),
        )
    }
}

/// The cell itself, or the latest in an installation that does not have it.
fn present(topology: &Topology, cell: &CellId) -> CellId {
    if topology.contains(cell) { cell.clone() } else { topology.latest.clone() }
}

/// Turns a population that has been checked into rows.
struct Filling<'a> {
    topology: &'a Topology,
    population: &'a Population,
    own: &'a OwnInMemory,
    /// The last id that was given to an entry without one.
    last_id: u64,
    rows: Vec<Change>,
}

impl Filling<'_> {
    fn fill(mut self) -> Vec<Change> {
        for person in &self.population.people {
            self.rows.push(Change::AddUser(User {
                name: person.name.clone(),
                password: person.password.clone(),
                default_organization: person.default_organization.clone(),
                admin: person.admin,
            }));
            if let Some(token) = &person.token {
                self.rows
                    .push(Change::AddToken { token: token.clone(), user: person.name.clone() });
            }
        }
        for organization in &self.population.organizations {
            self.rows.push(Change::AddOrganization(Organization {
                slug: organization.slug.clone(),
                name: organization.name.clone(),
                dashboard: organization.dashboard.clone(),
                cell: self.placed(&organization.placement),
            }));
        }
        self.last_id = self.highest_given_id();
        for namespace in &self.population.namespaces {
            self.fill_namespace(namespace);
        }
        for route in &self.population.routes {
            let (path, cell) = (route.path.clone(), route.cell.clone());
            self.add_route(path, cell, Source::Page, Visibility::Public, route.exact, true);
        }
        for (key, value) in &self.population.settings {
            self.rows.push(Change::SetSetting { key: key.clone(), value: value.clone() });
        }
        self.rows
    }

    fn fill_namespace(&mut self, namespace: &PlannedNamespace) {
        let organization = match &namespace.home {
            Home::Organization(slug) => Some(slug.clone()),
            Home::Public | Home::Cell(_) => None,
        };
        let cell = match &namespace.home {
            Home::Organization(slug) => {
                let found = self
                    .population
                    .organizations
                    .iter()
                    .find(|organization| organization.slug == *slug);
                found.map_or_else(
                    || self.topology.latest.clone(),
                    |organization| self.placed(&organization.placement),
                )
            }
            Home::Public => self.topology.latest.clone(),
            Home::Cell(cell) => cell.clone(),
        };
        let id = self.id(namespace.id);
        let path = format!("/{}", namespace.path);
        self.add_route(
            path,
            cell.clone(),
            Source::Namespace(id),
            namespace.visibility,
            false,
            false,
        );
        for project in &namespace.projects {
            let id = self.id(project.id);
            let path = format!("{}/{}", namespace.path, project.path);
            let cell = project.cell.as_ref().unwrap_or(&cell);
            self.add_route(
                format!("/{path}"),
                cell.clone(),
                Source::Project(id),
                project.visibility,
                false,
                project.learnt_by_own_path,
            );
            let project_row = Project {
                id,
                path,
                title: project.title.clone(),
                heading: project.heading.clone(),
                organization: organization.clone(),
                visibility: project.visibility,
                members: namespace.members.union(&project.members).cloned().collect(),
                work: project.work.clone(),
            };
            self.own.put_project(cell, project_row, project.pipelines);
        }
        let namespace_row = Namespace {
            id,
            path: namespace.path.clone(),
            name: namespace.name.clone(),
            organization,
            visibility: namespace.visibility,
            members: namespace.members.clone(),
        };
        self.own.put_namespace(&cell, namespace_row);
    }

    fn add_route(
        &mut self,
        path: String,
        cell: CellId,
        source: Source,
        visibility: Visibility,
        exact: bool,
        learnt_by_own_path: bool,
    ) {
        let public = visibility == Visibility::Public;
        self.rows.push(Change::AddRoute(Route {
            path,
            cell,
            source,
            public,
            exact,
            learnt_by_own_path,
        }));
    }

    fn placed(&self, placement: &Placement) -> CellId {
        if placement.or_latest {
            present(self.topology, &placement.cell)
        } else {
            placement.cell.clone()
        }
    }

    fn highest_given_id(&self) -> u64 {
        let namespaces = &self.population.namespaces;
        let ids = namespaces.iter().flat_map(|namespace| {
            namespace.projects.iter().map(|project| project.id).chain([namespace.id])
        });
        ids.flatten().max().unwrap_or(0)
    }

    fn id(&mut self, given: Option<u64>) -> u64 {
        given.unwrap_or_else(|| {
            self.last_id += 1;
            debug_assert!(
                self.last_id < FIXTURE_IDS_END,
                "the population has used up the ids of fixtures"
            );
            self.last_id
        })
    }
}
