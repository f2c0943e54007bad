//! Population files.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use serde::Deserialize;

use super::{
    Home, Person, Placement, PlannedNamespace, PlannedOrganization, PlannedProject, Population,
    PopulationError, Visibility, Work,
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PopulationFile {
    organizations: Vec<OrganizationEntry>,
    users: Vec<PersonEntry>,
    namespaces: Vec<NamespaceEntry>,
    #[serde(default)]
    settings: BTreeMap<String, String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OrganizationEntry {
    slug: String,
    name: String,
    dashboard: Option<String>,
    cell: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PersonEntry {
    name: String,
    password: String,
    default_organization: Option<String>,
    #[serde(default)]
    admin: bool,
    token: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NamespaceEntry {
    path: String,
    name: String,
    id: Option<u64>,
    organization: Option<String>,
    visibility: Visibility,
    #[serde(default)]
    members: BTreeSet<String>,
    #[serde(default)]
    projects: Vec<ProjectEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ProjectEntry {
    path: String,
    title: String,
    heading: Option<String>,
    id: Option<u64>,
    visibility: Visibility,
    #[serde(default)]
    members: BTreeSet<String>,
    cell: Option<String>,
    #[serde(default)]
    learned_by_own_path: bool,
    #[serde(default)]
    pipelines: u64,
    #[serde(default)]
    work: BTreeMap<String, Work>,
}

impl Population {
    /// The people and places of the documents.
    pub fn documents() -> Self {
        static DOCUMENTS: LazyLock<Population> = LazyLock::new(|| {
            let text = include_str!("../../../fixtures/population.toml");
            Population::parse(text).expect("the embedded population is tested")
        });
        DOCUMENTS.clone()
    }

    /// Reads a population file.
    ///
    /// # Errors
    /// Where the text is not a valid population.
    pub fn parse(text: &str) -> Result<Self, PopulationError> {
        read(text)
    }
}

fn read(text: &str) -> Result<Population, PopulationError> {
    let entry: PopulationFile = toml::from_str(text)
        .map_err(|error| PopulationError(format!("the population cannot be read: {error}")))?;
    Ok(Population {
        organizations: entry
            .organizations
            .into_iter()
            .map(organization)
            .collect::<Result<_, _>>()?,
        people: entry.users.into_iter().map(person).collect(),
        namespaces: entry.namespaces.into_iter().map(namespace).collect::<Result<_, _>>()?,
        settings: entry.settings,
        routes: Vec::new(),
        endpoints: Vec::new(),
    })
}

fn organization(entry: OrganizationEntry) -> Result<PlannedOrganization, PopulationError> {
    let cell = entry
        .cell
        .parse()
        .map_err(|error| PopulationError(format!("organization `{}`: {error}", entry.slug)))?;
    let dashboard = entry.dashboard.unwrap_or_else(|| format!("{} Dashboard", entry.name));
    Ok(PlannedOrganization {
        slug: entry.slug,
        name: entry.name,
        dashboard,
        placement: Placement { cell, or_latest: true },
    })
}

fn person(entry: PersonEntry) -> Person {
    Person {
        name: entry.name,
        password: entry.password,
        default_organization: entry.default_organization,
        admin: entry.admin,
        token: entry.token,
    }
}

fn namespace(entry: NamespaceEntry) -> Result<PlannedNamespace, PopulationError> {
    Ok(PlannedNamespace {
        home: entry.organization.map_or(Home::Public, Home::Organization),
        path: entry.path,
        name: entry.name,
        id: entry.id,
        visibility: entry.visibility,
        members: entry.members,
        projects: entry.projects.into_iter().map(project).collect::<Result<_, _>>()?,
    })
}

fn project(entry: ProjectEntry) -> Result<PlannedProject, PopulationError> {
    let cell = entry.cell.as_deref().map(str::parse).transpose();
    Ok(PlannedProject {
        cell: cell
            .map_err(|error| PopulationError(format!("project `{}`: {error}", entry.path)))?,
        heading: entry.heading.unwrap_or_else(|| entry.title.clone()),
        path: entry.path,
        title: entry.title,
        id: entry.id,
        visibility: entry.visibility,
        members: entry.members,
        learned_by_own_path: entry.learned_by_own_path,
        pipelines: entry.pipelines,
        work: entry.work,
    })
}
