//! Given steps about organizations, groups with projects, and who belongs to them.

use cell_fleet::population::{Home, PopulationError, Visibility};

use super::definition::{Definition, given};
use super::parameters::{Cell, Number, Person};
use crate::plan::ScenarioPlan;

/// The definitions.
pub(super) fn definitions() -> Vec<Definition> {
    vec![
        given(
            "the organization {string} on {cell}",
            |plan: &mut ScenarioPlan, slug: String, cell: Cell| {
                plan.fleet.population.add_organization(&slug, &slug, cell.0);
            },
        ),
        given("the group {string} on {cell}", |plan: &mut ScenarioPlan, path: String, on: Cell| {
            plan.fleet.population.add_namespace(&path, on.0, Visibility::Public);
        }),
        given(
            "the group {string} of the organization {string}",
            |plan: &mut ScenarioPlan, path: String, slug: String| {
                let home = Home::Organization(slug);
                plan.fleet.population.add_namespace(&path, home, Visibility::Public);
            },
        ),
        given(
            "the private group {string} of the organization {string}",
            |plan: &mut ScenarioPlan, path: String, slug: String| {
                let home = Home::Organization(slug);
                plan.fleet.population.add_namespace(&path, home, Visibility::Private);
            },
        ),
        given(
            "the project {string} with the id {number}",
            |plan: &mut ScenarioPlan, path: String, id: Number| {
                add_project(plan, &path, id, Visibility::Public)
            },
        ),
        given(
            "the private project {string} with the id {number}",
            |plan: &mut ScenarioPlan, path: String, id: Number| {
                add_project(plan, &path, id, Visibility::Private)
            },
        ),
        given(
            "the project {string} is on {cell}, apart from its group",
            |plan: &mut ScenarioPlan, path: String, cell: Cell| {
                let split = path.split_once('/');
                let found = split.and_then(|(group, project)| {
                    let namespaces = &mut plan.fleet.population.namespaces;
                    let group = namespaces.iter_mut().find(|it| it.path == group)?;
                    group.projects.iter_mut().find(|it| it.path == project)
                });
                found.ok_or_else(|| format!("there is no project `{path}`"))?.cell = Some(cell.0);
                Ok(())
            },
        ),
        given(
            "{person} is a member of {string}",
            |plan: &mut ScenarioPlan, person: Person, path: String| {
                plan.fleet.population.add_member(&path, &person.0).map_err(said)
            },
        ),
    ]
}

fn add_project(
    plan: &mut ScenarioPlan,
    path: &str,
    id: Number,
    visibility: Visibility,
) -> Result<(), String> {
    let project = plan.fleet.population.add_project(path, path, visibility).map_err(said)?;
    project.id = Some(id.0);
    Ok(())
}

fn said(error: PopulationError) -> String {
    error.to_string()
}
