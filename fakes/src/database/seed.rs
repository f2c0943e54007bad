//! What the databases of a fleet hold when it starts.

use std::collections::BTreeMap;

use crate::ids::new_uuid;
use crate::plan::{IdPlan, IdStrategy, RunnerModel};
use crate::population::{self, FIXTURE_IDS_END, Home, Placement, Population, Visibility};
use crate::rows::{
    Change, Id, IdTable, Namespace, Organization, OrganizationRows, Project, Route, Source, User,
};
use crate::{CellId, Region, Topology};

/// Everything that a store needs to know to open the databases of a fleet.
#[derive(Clone, Debug)]
pub struct Seed {
    /// The regions, each with a replica.
    pub regions: Vec<Region>,
    /// The cells, each with its own schemas.
    pub cells: Vec<CellId>,
    /// The rows of the shared schemas, as writes that follow one another.
    pub shared: Vec<Change>,
    /// The rows of the cells' own schemas.
    pub own: BTreeMap<CellId, OrganizationRows>,
    /// The greatest number of each table that has rows.
    pub greatest: BTreeMap<IdTable, u64>,
    /// Whether the plan makes replicas lag.
    pub lags: bool,
    /// Where runners and jobs are kept.
    pub runners: RunnerModel,
}

impl Seed {
    /// The rows of a population that has been checked.
    pub fn from_population(topology: &Topology, population: &Population, plan: &IdPlan) -> Self {
        let (own, greatest) = (BTreeMap::new(), BTreeMap::new());
        let shared = Vec::new();
        let rows = Rows { topology, population, plan, last_id: 0, greatest, own, shared };
        let Rows { own, shared, greatest, .. } = rows.filled();
        let (regions, cells) = (topology.regions().into_iter().collect(), topology.cells.clone());
        let runners = RunnerModel::default();
        Self { regions, cells, shared, own, greatest, lags: false, runners }
    }
}

/// Rows in the making.
struct Rows<'a> {
    topology: &'a Topology,
    population: &'a Population,
    plan: &'a IdPlan,
    /// The last id that was assigned to an entry without one.
    last_id: u64,
    /// The greatest number of each table.
    greatest: BTreeMap<IdTable, u64>,
    shared: Vec<Change>,
    own: BTreeMap<CellId, OrganizationRows>,
}

impl Rows<'_> {
    fn filled(mut self) -> Self {
        for (person, number) in self.population.people.iter().zip(1..) {
            let id = self.key(IdTable::Users, number);
            self.shared.push(Change::AddUser(User {
                id,
                name: person.name.clone(),
                password: person.password.clone(),
                default_organization: person.default_organization.clone(),
                admin: person.admin,
                status: String::new(),
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
        for planned in &self.population.routes {
            let (path, cell) = (planned.path.clone(), planned.cell.clone());
            self.shared.push(Change::AddRoute(Route {
                exact: planned.exact,
                learned_by_own_path: true,
                ..Route::new(path, cell, Source::Page, Visibility::Public)
            }));
        }
        for (key, value) in &self.population.settings {
            self.shared.push(Change::SetSetting { key: key.clone(), value: value.clone() });
        }
        self
    }

    fn fill_namespace(&mut self, namespace: &population::PlannedNamespace) {
        let latest = || self.topology.latest.clone();
        let (organization, cell) = match &namespace.home {
            Home::Public => (None, latest()),
            Home::Cell(cell) => (None, cell.clone()),
            Home::Organization(slug) => {
                let mut all = self.population.organizations.iter();
                let found = all.find(|organization| organization.slug == *slug);
                let cell = found.map(|organization| self.placed(&organization.placement));
                (Some(slug.clone()), cell.unwrap_or_else(latest))
            }
        };
        let number = self.number(namespace.id);
        let id = self.key(IdTable::Namespaces, number);
        self.shared.push(Change::AddRoute(Route {
            number: self.number_beside(number, self.plan.keeps_numbers),
            ..Route::new(
                format!("/{}", namespace.path),
                cell.clone(),
                Source::Namespace(id),
                namespace.visibility,
            )
        }));
        let number_beside = self.number_beside(number, true);
        for project in &namespace.projects {
            let number = self.number(project.id);
            let id = self.key(IdTable::Projects, number);
            let path = format!("{}/{}", namespace.path, project.path);
            let cell = project.cell.as_ref().unwrap_or(&cell);
            self.shared.push(Change::AddRoute(Route {
                number: self.number_beside(number, self.plan.keeps_numbers),
                learned_by_own_path: project.learned_by_own_path,
                ..Route::new(
                    format!("/{path}"),
                    cell.clone(),
                    Source::Project(id),
                    project.visibility,
                )
            }));
            let project_row = Project {
                id,
                number: self.number_beside(number, true),
                path,
                title: project.title.clone(),
                heading: project.heading.clone(),
                organization: organization.clone(),
                visibility: project.visibility,
                members: namespace.members.union(&project.members).cloned().collect(),
                work: project.work.clone(),
            };
            let of_cell = self.own.entry(cell.clone()).or_default();
            of_cell.projects.push((project_row, project.pipelines));
        }
        let namespace_row = Namespace {
            id,
            number: number_beside,
            path: namespace.path.clone(),
            name: namespace.name.clone(),
            organization,
            visibility: namespace.visibility,
            members: namespace.members.clone(),
        };
        self.own.entry(cell).or_default().namespaces.push(namespace_row);
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

    /// The number that the entry names, or else the next one that no entry names.
    fn number(&mut self, given: Option<u64>) -> u64 {
        given.unwrap_or_else(|| {
            self.last_id += 1;
            debug_assert!(
                self.last_id < FIXTURE_IDS_END,
                "the population has used up the ids of fixtures"
            );
            self.last_id
        })
    }

    /// The id of the row with this number: the number itself, unless UUIDs identify rows.
    fn key(&mut self, table: IdTable, number: u64) -> Id {
        let greatest = self.greatest.entry(table).or_default();
        *greatest = number.max(*greatest);
        match self.plan.strategy {
            IdStrategy::Uuid => Id::Uuid(new_uuid()),
            _ => Id::Number(number),
        }
    }

    /// The number next to a UUID, where the plan asks for it.
    fn number_beside(&self, number: u64, wanted: bool) -> Option<u64> {
        (wanted && self.plan.strategy == IdStrategy::Uuid).then_some(number)
    }
}
