//! Checks that a population is consistent and fits its topology.

use std::collections::BTreeSet;

use super::{FIXTURE_IDS_END, Home, PlannedNamespace, Population, PopulationError};
use crate::CellId;
use crate::plan::topology::Topology;
use crate::wire::segments::is_plain_segment;

impl Population {
    /// Refuses a population that contradicts itself or the topology.
    pub(crate) fn check(&self, topology: &Topology) -> Result<(), PopulationError> {
        self.check_people()?;
        for organization in &self.organizations {
            let placement = &organization.placement;
            if !placement.or_latest {
                known(topology, &placement.cell, &format!("organization `{}`", organization.slug))?;
            }
        }
        unique("organization", self.organizations.iter().map(|organization| &organization.slug))?;
        unique("namespace", self.namespaces.iter().map(|namespace| &namespace.path))?;
        for namespace in &self.namespaces {
            self.check_namespace(namespace, topology)?;
        }
        self.check_ids()?;
        unique("route", self.routes.iter().map(|route| &route.path))?;
        for route in &self.routes {
            rooted(&route.path)?;
            known(topology, &route.cell, &format!("route `{}`", route.path))?;
        }
        for endpoint in &self.endpoints {
            rooted(&endpoint.path)?;
            if let Some(owner) = &endpoint.owner {
                known(topology, owner, &format!("endpoint `{}`", endpoint.path))?;
            }
        }
        Ok(())
    }

    fn check_people(&self) -> Result<(), PopulationError> {
        unique("user", self.people.iter().map(|person| &person.name))?;
        unique("token", self.people.iter().filter_map(|person| person.token.as_ref()))?;
        for person in &self.people {
            if let Some(slug) = &person.default_organization {
                self.organization_exists(slug, &person.name)?;
            }
        }
        Ok(())
    }

    fn check_namespace(
        &self,
        namespace: &PlannedNamespace,
        topology: &Topology,
    ) -> Result<(), PopulationError> {
        segment(&namespace.path)?;
        match &namespace.home {
            Home::Organization(slug) => self.organization_exists(slug, &namespace.path)?,
            Home::Cell(cell) => known(topology, cell, &format!("namespace `{}`", namespace.path))?,
            Home::Public => {}
        }
        unique("project", namespace.projects.iter().map(|project| &project.path))?;
        self.people_exist(namespace.members.iter(), &namespace.path)?;
        for project in &namespace.projects {
            segment(&project.path)?;
            self.people_exist(project.members.iter().chain(project.work.keys()), &project.path)?;
            if let Some(cell) = &project.cell {
                known(topology, cell, &format!("project `{}/{}`", namespace.path, project.path))?;
            }
        }
        Ok(())
    }

    fn check_ids(&self) -> Result<(), PopulationError> {
        let (namespaces, projects): (Vec<_>, Vec<_>) = self
            .namespaces
            .iter()
            .map(|namespace| {
                (namespace.id, namespace.projects.iter().filter_map(|project| project.id))
            })
            .unzip();
        let namespaces: Vec<_> = namespaces.into_iter().flatten().collect();
        let projects: Vec<_> = projects.into_iter().flatten().collect();
        if let Some(id) = namespaces.iter().chain(&projects).find(|id| **id >= FIXTURE_IDS_END) {
            return Err(PopulationError(format!(
                "id {id} is in the range from which cells draw new ids; stay below \
                 {FIXTURE_IDS_END}"
            )));
        }
        unique("namespace id", namespaces.iter())?;
        unique("project id", projects.iter())
    }

    fn organization_exists(&self, slug: &str, of: &str) -> Result<(), PopulationError> {
        let exists = self.organizations.iter().any(|organization| organization.slug == slug);
        if exists {
            Ok(())
        } else {
            Err(PopulationError(format!(
                "`{of}` belongs to the organization `{slug}`, which does not exist"
            )))
        }
    }

    fn people_exist<'a>(
        &self,
        names: impl Iterator<Item = &'a String>,
        of: &str,
    ) -> Result<(), PopulationError> {
        for name in names {
            if self.person(name).is_none() {
                return Err(PopulationError(format!(
                    "`{of}` names the user `{name}`, who does not exist"
                )));
            }
        }
        Ok(())
    }
}

fn known(topology: &Topology, cell: &CellId, of: &str) -> Result<(), PopulationError> {
    if topology.contains(cell) {
        Ok(())
    } else {
        Err(PopulationError(format!("{of} is placed on {cell}, which the topology does not have")))
    }
}

fn rooted(path: &str) -> Result<(), PopulationError> {
    let well_formed = path.len() > 1 && path.starts_with('/') && !path.contains(['?', '#']);
    if well_formed {
        Ok(())
    } else {
        Err(PopulationError(format!("`{path}` is not a request path below the root")))
    }
}

/// A namespace's or project's path: one segment that needs no encoding.
fn segment(path: &str) -> Result<(), PopulationError> {
    if is_plain_segment(path) {
        Ok(())
    } else {
        Err(PopulationError(format!(
            "`{path}` is not the path of a namespace or project: \
             use one segment of letters, digits, `-`, `_` and `.`"
        )))
    }
}

fn unique<'a, T: Ord + std::fmt::Display + 'a>(
    what: &str,
    entries: impl Iterator<Item = &'a T>,
) -> Result<(), PopulationError> {
    let mut seen = BTreeSet::new();
    for entry in entries {
        if !seen.insert(entry) {
            return Err(PopulationError(format!("the {what} `{entry}` exists twice")));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::population::{Placement, PlannedRoute, Visibility};

    #[test]
    fn a_contradiction_is_reported() {
        type Contradict = fn(&mut Population);
        let cases: [(Contradict, &str); 8] = [
            (
                |p| {
                    p.add_person("anna", None);
                },
                "user `anna` exists twice",
            ),
            (
                |p| {
                    p.add_person("ada", Some("nowhere"));
                },
                "`nowhere`, which does not exist",
            ),
            (
                |p| {
                    p.add_namespace("my-company", "my-organization", Visibility::Public);
                },
                "namespace `my-company` exists twice",
            ),
            (
                |p| {
                    p.add_namespace("a b", "my-organization", Visibility::Public);
                },
                "not the path of a namespace",
            ),
            (
                |p| {
                    p.add_namespace("ours", CellId::eu(7), Visibility::Public);
                },
                "cell_eu7, which the topology does not have",
            ),
            (|p| p.namespaces[0].id = Some(FIXTURE_IDS_END), "draw new ids"),
            (
                |p| {
                    p.add_route(PlannedRoute {
                        path: "x".to_owned(),
                        cell: CellId::eu(0),
                        exact: false,
                    })
                },
                "not a request path",
            ),
            (
                |p| {
                    p.organizations[0].placement =
                        Placement { cell: CellId::eu(7), or_latest: false }
                },
                "organization `my-organization`",
            ),
        ];
        for (contradict, message) in cases {
            let mut population = Population::documents();
            contradict(&mut population);
            let error = population.check(&Topology::documents()).unwrap_err();
            assert!(error.to_string().contains(message), "{error}");
        }
    }
}
