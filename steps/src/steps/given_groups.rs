//! Given steps about people, organizations, groups with projects, and who belongs to them.

use cell_fleet::population::{Home, PopulationError};
use cucumber::given;

use super::meaning::Meaning;
use super::parameters::{Cell, Number, Person, Private, Route};
use crate::plan::Visit;

#[given(expr = "the organization {string} on {cell}")]
fn the_organization_on(step: &mut Meaning, slug: String, cell: Cell) {
    step.condition(move |plan| {
        plan.fleet.population.add_organization(&slug, &slug, cell.0);
    });
}

#[given(expr = "the {private}group {string} on {cell}")]
fn the_group_on(step: &mut Meaning, private: Private, path: String, on: Cell) {
    step.condition(move |plan| {
        plan.fleet.population.add_namespace(&path, on.0, private.0);
    });
}

#[given(expr = "the {private}group {string} of the organization {string}")]
fn the_group_of_the_organization(step: &mut Meaning, private: Private, path: String, slug: String) {
    step.condition(move |plan| {
        let home = Home::Organization(slug);
        plan.fleet.population.add_namespace(&path, home, private.0);
    });
}

#[given(expr = "the {private}project {string} with the id {number}")]
fn the_project_with_the_id(step: &mut Meaning, private: Private, path: String, id: Number) {
    step.condition(move |plan| {
        let population = &mut plan.fleet.population;
        population.add_project(&path, &path, private.0).map_err(said)?.id = Some(id.0);
        Ok(())
    });
}

#[given(expr = "the project {string} is on {cell}, apart from its group")]
fn the_project_is_on_apart_from_its_group(step: &mut Meaning, path: String, cell: Cell) {
    step.condition(move |plan| {
        let split = path.split_once('/');
        let found = split.and_then(|(group, project)| {
            let namespaces = &mut plan.fleet.population.namespaces;
            let group = namespaces.iter_mut().find(|it| it.path == group)?;
            group.projects.iter_mut().find(|it| it.path == project)
        });
        found.ok_or_else(|| format!("there is no project `{path}`"))?.cell = Some(cell.0);
        Ok(())
    });
}

#[given(expr = "{person} is a member of {string}")]
fn is_a_member_of(step: &mut Meaning, person: Person, path: String) {
    step.condition(move |plan| plan.fleet.population.add_member(&path, &person.0).map_err(said));
}

fn said(error: PopulationError) -> String {
    error.to_string()
}

#[given(expr = "{person} is signed in")]
fn is_signed_in(step: &mut Meaning, person: Person) {
    step.condition(move |plan| {
        plan.signed_in.insert(person.0);
    });
}

#[given(expr = "{person} visited {string}{route}")]
fn visited(step: &mut Meaning, person: Person, target: String, route: Route) {
    let region = match route {
        Route::Default => None,
        Route::Router(region) => Some(region),
        Route::Asking(_) | Route::Cell(_) => {
            return step.cannot_be_read("an earlier visit goes through a router".to_owned());
        }
    };
    step.condition(move |plan| plan.visits.push(Visit { person: person.0, region, target }));
}
