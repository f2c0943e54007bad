//! What the databases of a fleet hold when it starts.

use super::change::Change;
use super::rows::{Namespace, Organization, Project, Route, Source, User};
use crate::ids::{Id, IdStrategy};
use crate::population::{self, FIXTURE_IDS_END, Home, Placement, Population, Visibility};
use crate::{CellId, Region, Topology};

/// Everything that a store needs to know to open the databases of a fleet.
#[derive(Clone, Debug)]
pub(crate) struct Seed {
    /// The regions, each with a replica.
    pub(crate) regions: Vec<Region>,
    /// The cells, each with schemas of its own.
    pub(crate) cells: Vec<CellId>,
    /// The rows of the shared schemas, as writes that follow one another.
    pub(crate) shared: Vec<Change>,
    /// The rows of the cells' own schemas.
    pub(crate) own: Vec<(CellId, OwnRow)>,
    /// How new ids are drawn.
    pub(crate) ids: IdStrategy,
}

/// A row of a cell's own schemas.
#[derive(Clone, Debug)]
pub(crate) enum OwnRow {
    Namespace(Namespace),
    Project { project: Project, pipelines: u64 },
}

impl Seed {
    /// The rows of a population that has been checked.
    pub(crate) fn of(topology: &Topology, population: &Population, ids: IdStrategy) -> Self {
        let rows = Rows { topology, population, last_id: 0, own: Vec::new(), shared: Vec::new() };
        let Rows { own, shared, .. } = rows.filled();
        let (regions, cells) = (topology.regions().into_iter().collect(), topology.cells.clone());
        Self { regions, cells, shared, own, ids }
    }
}

/// Rows in the making.
struct Rows<'a> {
    topology: &'a Topology,
    population: &'a Population,
    /// The last id that was assigned to an entry without one.
    last_id: u64,
    shared: Vec<Change>,
    own: Vec<(CellId, OwnRow)>,
}

impl Rows<'_> {
    fn filled(mut self) -> Self {
        for person in &self.population.people {
            self.shared.push(Change::AddUser(User {
                name: person.name.clone(),
                password: person.password.clone(),
                default_organization: person.default_organization.clone(),
                admin: person.admin,
            }));
            if let Some(token) = &person.token {
                self.shared
                    .push(Change::AddToken { token: token.clone(), user: person.name.clone() });
            }
        }
        for organization in &self.population.organizations {
            self.shared.push(Change::AddOrganization(Organization {
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
            self.shared.push(Change::SetSetting { key: key.clone(), value: value.clone() });
        }
        self
    }

    fn fill_namespace(&mut self, namespace: &population::PlannedNamespace) {
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
            let row = OwnRow::Project { project: project_row, pipelines: project.pipelines };
            self.own.push((cell.clone(), row));
        }
        let namespace_row = Namespace {
            id,
            path: namespace.path.clone(),
            name: namespace.name.clone(),
            organization,
            visibility: namespace.visibility,
            members: namespace.members.clone(),
        };
        self.own.push((cell, OwnRow::Namespace(namespace_row)));
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
        self.shared.push(Change::AddRoute(Route {
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
            self.topology.present(&placement.cell)
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

    fn id(&mut self, given: Option<u64>) -> Id {
        Id::Number(given.unwrap_or_else(|| {
            self.last_id += 1;
            debug_assert!(
                self.last_id < FIXTURE_IDS_END,
                "the population has used up the ids of fixtures"
            );
            self.last_id
        }))
    }
}
