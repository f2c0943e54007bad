//! The file in which a population is written down.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use serde::Deserialize;

use super::{
    Home, Namespace, Organization, Person, Placement, Population, PopulationError, Project,
    Visibility, Work,
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Spelled {
    organizations: Vec<SpelledOrganization>,
    users: Vec<SpelledPerson>,
    namespaces: Vec<SpelledNamespace>,
    #[serde(default)]
    settings: BTreeMap<String, String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SpelledOrganization {
    slug: String,
    name: String,
    dashboard: Option<String>,
    cell: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SpelledPerson {
    name: String,
    password: String,
    default_organization: Option<String>,
    #[serde(default)]
    admin: bool,
    token: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SpelledNamespace {
    path: String,
    name: String,
    id: Option<u64>,
    organization: Option<String>,
    visibility: Visibility,
    #[serde(default)]
    members: BTreeSet<String>,
    #[serde(default)]
    projects: Vec<SpelledProject>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SpelledProject {
    path: String,
    title: String,
    heading: Option<String>,
    id: Option<u64>,
    visibility: Visibility,
    #[serde(default)]
    members: BTreeSet<String>,
    cell: Option<String>,
    #[serde(default)]
    learnt_by_own_path: bool,
    #[serde(default)]
    pipelines: u64,
    #[serde(default)]
    work: BTreeMap<String, Work>,
}

impl Population {
    /// The people and places of the documents.
    pub fn documents() -> Self {
        static DOCUMENTS: LazyLock<Population> = LazyLock::new(|| {
            let text = include_str!("../../fixtures/population.toml");
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
    let spelled: Spelled = toml::from_str(text)
        .map_err(|error| PopulationError(format!("the population cannot be read: {error}")))?;
    Ok(Population {
        organizations: spelled
            .organizations
            .into_iter()
            .map(organization)
            .collect::<Result<_, _>>()?,
        people: spelled.users.into_iter().map(person).collect(),
        namespaces: spelled.namespaces.into_iter().map(namespace).collect::<Result<_, _>>()?,
        settings: spelled.settings,
        routes: Vec::new(),
        endpoints: Vec::new(),
    })
}

fn organization(spelled: SpelledOrganization) -> Result<Organization, PopulationError> {
    let cell = spelled
        .cell
        .parse()
        .map_err(|error| PopulationError(format!("organization `{}`: {error}", spelled.slug)))?;
    let dashboard = spelled.dashboard.unwrap_or_else(|| format!("{} Dashboard", spelled.name));
    Ok(Organization {
        slug: spelled.slug,
        name: spelled.name,
        dashboard,
        placement: Placement { cell, or_latest: true },
    })
}

fn person(spelled: SpelledPerson) -> Person {
    Person {
        name: spelled.name,
        password: spelled.password,
        default_organization: spelled.default_organization,
        admin: spelled.admin,
        token: spelled.token,
    }
}

fn namespace(spelled: SpelledNamespace) -> Result<Namespace, PopulationError> {
    Ok(Namespace {
        home: spelled.organization.map_or(Home::Public, Home::Organization),
        path: spelled.path,
        name: spelled.name,
        id: spelled.id,
        visibility: spelled.visibility,
        members: spelled.members,
        projects: spelled.projects.into_iter().map(project).collect::<Result<_, _>>()?,
    })
}

fn project(spelled: SpelledProject) -> Result<Project, PopulationError> {
    let cell = spelled.cell.as_deref().map(str::parse).transpose();
    Ok(Project {
        cell: cell
            .map_err(|error| PopulationError(format!("project `{}`: {error}", spelled.path)))?,
        heading: spelled.heading.unwrap_or_else(|| spelled.title.clone()),
        path: spelled.path,
        title: spelled.title,
        id: spelled.id,
        visibility: spelled.visibility,
        members: spelled.members,
        learnt_by_own_path: spelled.learnt_by_own_path,
        pipelines: spelled.pipelines,
        work: spelled.work,
    })
}
