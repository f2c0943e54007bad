//! The people, organizations and projects that exist before a scenario begins.

mod check;
mod people;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

pub use people::{
    Home, Person, Placement, PlannedEndpoint, PlannedNamespace, PlannedOrganization,
    PlannedProject, PlannedRoute,
};

pub use crate::rows::{Visibility, Work};

use crate::CellId;
use crate::plan::Version;

/// The name of the meta organization that has everything without another organization (OR-05).
pub const PUBLIC_ORGANIZATION: &str = "GitLab.com Public";

/// Ids of fixtures are below this number; cells draw ids from it upward (ID-01).
pub(crate) const FIXTURE_IDS_END: u64 = 1 << 53;

/// Users, organizations, namespaces, projects and further routes.
///
/// ```
/// use cell_fleet::{CellId, population::{Population, Visibility}};
/// let mut population = Population::documents();
/// population.add_namespace("my-company-2", CellId::us(1), Visibility::Public);
/// population.add_project("my-company-2/a-project", "A Project", Visibility::Public)?;
/// population.add_member("my-company-2", "anna")?;
/// # Ok::<(), cell_fleet::population::PopulationError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Population {
    /// The organizations, without `GitLab.com Public`, which has no record.
    pub organizations: Vec<PlannedOrganization>,
    /// All users.
    #[serde(rename = "users")]
    pub people: Vec<Person>,
    /// The top-level namespaces with their projects.
    pub namespaces: Vec<PlannedNamespace>,
    /// Settings of the Admin Area, shared by all cells (AD-08).
    pub settings: BTreeMap<String, String>,
    /// Further rows of the routes table.
    #[serde(skip)]
    pub routes: Vec<PlannedRoute>,
    /// Endpoints that only some versions know.
    #[serde(skip)]
    pub endpoints: Vec<PlannedEndpoint>,
}

impl Default for Population {
    fn default() -> Self {
        Self::documents()
    }
}

impl Population {
    /// The people and places of the documents.
    pub fn documents() -> Self {
        static DOCUMENTS: LazyLock<Population> = LazyLock::new(|| {
            let text = include_str!("../../../fixtures/population.toml");
            toml::from_str(text).expect("the embedded population is tested")
        });
        DOCUMENTS.clone()
    }

    pub fn person(&self, name: &str) -> Option<&Person> {
        self.people.iter().find(|person| person.name == name)
    }

    pub fn namespace(&self, path: &str) -> Option<&PlannedNamespace> {
        self.namespaces.iter().find(|namespace| namespace.path == path)
    }

    /// Adds a person with the password `<name>-password`. `default_organization` is a slug, or
    /// `None` for a legacy user.
    pub fn add_person(&mut self, name: &str, default_organization: Option<&str>) -> &mut Person {
        let person = Person {
            name: name.to_owned(),
            password: format!("{name}-password"),
            default_organization: default_organization.map(str::to_owned),
            admin: false,
            token: Some(format!("glpat-{name}")),
        };
        pushed(&mut self.people, person)
    }

    /// Adds an organization on a cell.
    pub fn add_organization(
        &mut self,
        slug: &str,
        name: &str,
        cell: CellId,
    ) -> &mut PlannedOrganization {
        let organization = PlannedOrganization {
            slug: slug.to_owned(),
            name: name.to_owned(),
            dashboard: format!("{name} Dashboard"),
            placement: Placement { cell, or_latest: false },
        };
        pushed(&mut self.organizations, organization)
    }

    /// Adds a top-level namespace, without members or projects, in an organization (its slug), in
    /// `GitLab.com Public` ([`Home::Public`]), or on a cell.
    pub fn add_namespace(
        &mut self,
        path: &str,
        home: impl Into<Home>,
        visibility: Visibility,
    ) -> &mut PlannedNamespace {
        let path = path.trim_matches('/').to_owned();
        let namespace = PlannedNamespace {
            name: path.clone(),
            path,
            id: None,
            home: home.into(),
            visibility,
            members: Default::default(),
            projects: Vec::new(),
        };
        pushed(&mut self.namespaces, namespace)
    }

    /// Adds a project `group/project` to an existing namespace.
    ///
    /// # Errors
    /// Where the path does not have two segments, or its namespace does not exist.
    pub fn add_project(
        &mut self,
        path: &str,
        title: &str,
        visibility: Visibility,
    ) -> Result<&mut PlannedProject, PopulationError> {
        let (group, path) = self.split(path)?;
        let project = PlannedProject {
            path,
            title: title.to_owned(),
            heading: title.to_owned(),
            id: None,
            visibility,
            members: Default::default(),
            cell: None,
            learned_by_own_path: false,
            pipelines: 0,
            work: BTreeMap::new(),
        };
        Ok(pushed(&mut group.projects, project))
    }

    /// Makes a person a member of a namespace, or of one project.
    ///
    /// # Errors
    /// Where there is no such namespace or project.
    pub fn add_member(&mut self, path: &str, name: &str) -> Result<(), PopulationError> {
        let path = path.trim_matches('/');
        if let Some(namespace) = self.namespaces.iter_mut().find(|namespace| namespace.path == path)
        {
            namespace.members.insert(name.to_owned());
            return Ok(());
        }
        let (group, project) = self.split(path)?;
        let found = group.projects.iter_mut().find(|candidate| candidate.path == project);
        let found = found.ok_or_else(|| {
            PopulationError(format!("`{path}` cannot have members: there is no such project"))
        })?;
        found.members.insert(name.to_owned());
        Ok(())
    }

    /// Adds a row of the routes table, with a path of any shape.
    pub fn add_route(&mut self, route: PlannedRoute) {
        self.routes.push(route);
    }

    /// Adds an endpoint that only cells of version `since` or later decode. Set the `owner` of the
    /// returned endpoint for one that the latest cell redirects further (UN-03).
    pub fn add_endpoint(&mut self, path: &str, since: Version) -> &mut PlannedEndpoint {
        pushed(&mut self.endpoints, PlannedEndpoint { path: path.to_owned(), since, owner: None })
    }

    fn split(&mut self, path: &str) -> Result<(&mut PlannedNamespace, String), PopulationError> {
        let path = path.trim_matches('/');
        let parts = path.split_once('/').filter(|(_, project)| !project.contains('/'));
        let (group, project) = parts.ok_or_else(|| {
            PopulationError(format!(
                "`{path}` is not the path of a project: expected `group/project`"
            ))
        })?;
        let found = self.namespaces.iter_mut().find(|namespace| namespace.path == group);
        let found = found.ok_or_else(|| {
            PopulationError(format!("there is no namespace `{group}` for `{path}`"))
        })?;
        Ok((found, project.to_owned()))
    }
}

fn pushed<T>(list: &mut Vec<T>, entry: T) -> &mut T {
    list.push(entry);
    list.last_mut().expect("an entry was just added")
}

/// A population that contradicts itself or the topology.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct PopulationError(pub String);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn additions_name_what_they_lack() {
        let mut population = Population::documents();
        for path in ["alone", "a/b/c", "nobody/project"] {
            assert!(
                population.add_project(path, "A Project", Visibility::Public).is_err(),
                "{path}"
            );
            assert!(population.add_member(path, "anna").is_err(), "{path}");
        }
        population.add_member("/not-my-company/not-my-project", "anna").unwrap();
        assert!(
            population.namespace("not-my-company").unwrap().projects[0].members.contains("anna")
        );
    }
}
