//! Given steps about the cells and their content.

use cell_fleet::population::PlannedRoute;
use cell_fleet::{CellId, LoginBy, Script, ScriptedAction, ScriptedResponse, Version};
use cucumber::given;

use super::doc_strings::{DocString as _, FieldLines};
use super::meaning::Meaning;
use super::parameters::{About, AndField, Cell, Cells, Covered, MediaType, Number, Owned};
use crate::action::{cold_path, long_path, rooted};
use crate::plan::ScenarioPlan;

#[given(expr = "{cell} is also in the topology")]
fn is_also_in_the_topology(step: &mut Meaning, cell: Cell) {
    step.condition(move |plan| {
        let cells = &mut plan.fleet.topology.cells;
        if cells.contains(&cell.0) {
            return Err(format!("{} is there already", cell.0));
        }
        cells.push(cell.0);
        Ok(())
    });
}

#[given(expr = "the installation of the cell(s) {string}")]
fn the_installation_of_the_cells(step: &mut Meaning, cells: String) {
    step.condition(move |plan| {
        let cells: Result<Vec<CellId>, _> = cells.split(", ").map(str::parse).collect();
        let cells = cells.map_err(|error| error.to_string())?;
        let latest = cells.first().ok_or("an installation has a cell")?.clone();
        plan.fleet.topology.primary_region = latest.region().clone();
        plan.fleet.topology.latest = latest;
        plan.fleet.topology.cells = cells;
        let topology = &plan.fleet.topology;
        for organization in &mut plan.fleet.population.organizations {
            let cell = &mut organization.placement.cell;
            *cell = topology.present(cell);
        }
        Ok(())
    });
}

#[given(expr = "the {covered} {string} on {cell}")]
fn the_namespace_or_route_on(step: &mut Meaning, covered: Covered, path: String, cell: Cell) {
    step.condition(move |plan| {
        // A row of the routes table, so that there is a page at every path below a namespace.
        plan.fleet.population.add_route(PlannedRoute {
            path: rooted(&path),
            cell: cell.0,
            exact: covered == Covered::Exactly,
        });
    });
}

#[given(expr = "{number} paths with different prefixes")]
fn paths_with_different_prefixes(step: &mut Meaning, places: Number) {
    step.condition(move |plan| {
        // Owners all over the fleet: a cold pick must not depend on them.
        let cells = plan.fleet.topology.cells.clone();
        for (number, cell) in (0..places.0).zip(cells.iter().cycle()) {
            plan.fleet.population.add_route(PlannedRoute {
                path: cold_path(number),
                cell: cell.clone(),
                exact: false,
            });
        }
    });
}

#[given(expr = "{number} paths with long names on {cell}")]
fn paths_with_long_names_on(step: &mut Meaning, places: Number, cell: Cell) {
    step.condition(move |plan| {
        let population = &mut plan.fleet.population;
        for number in 0..places.0 {
            population.add_route(PlannedRoute {
                path: long_path(number),
                cell: cell.0.clone(),
                exact: false,
            });
        }
    });
}

#[given(expr = "the sign-in page is fixed on {cell}")]
fn the_sign_in_page_is_fixed_on(step: &mut Meaning, cell: Cell) {
    step.condition(move |plan| plan.fleet.sign_in_cell = cell.0);
}

#[given(expr = "the owner starts the login")]
fn the_owner_starts_the_login(step: &mut Meaning) {
    step.condition(move |plan| plan.fleet.login_by = Some(LoginBy::Owner));
}

#[given(expr = "{cell} has the id {string}")]
fn has_the_id(step: &mut Meaning, cell: Cell, id: String) {
    step.condition(move |plan| {
        if cell.0 != plan.fleet.topology.latest {
            return Err(format!("{} can be cast, so it keeps its id", cell.0));
        }
        plan.fleet.ids.insert(cell.0, id);
        Ok(())
    });
}

#[given(expr = "{cell} runs an older version")]
fn runs_an_older_version(step: &mut Meaning, cell: Cell) {
    step.condition(move |plan| {
        plan.fleet.older.insert(cell.0, Version::OLDER);
    });
}

#[given(expr = "the endpoint {string} that only the latest version knows{owned}")]
fn endpoint_only_latest_version_knows(step: &mut Meaning, path: String, owned: Owned) {
    step.condition(move |plan| {
        plan.fleet.population.add_endpoint(&path, Version::LATEST).owner = owned.0;
    });
}

#[given(expr = "{cells} responds to {about}{string} with:")]
fn responds_to_with(step: &mut Meaning, cells: Cells, about: About, path: String) {
    let Some(response) = step.doc_string() else { return };
    step.condition(move |plan| script(plan, cells, &path, &about.scripted(response)));
}

#[given(expr = "{cells} responds to {about}{string} with the status {number}{and_field}")]
fn responds_with_status(
    step: &mut Meaning,
    cells: Cells,
    about: About,
    path: String,
    status: Number,
    field: AndField,
) {
    match ScriptedResponse::read(&format!("{}{}\n\n", status.0, field.0)) {
        Ok(response) => {
            step.condition(move |plan| script(plan, cells, &path, &about.scripted(response)));
        }
        Err(why) => step.cannot_be_read(why),
    }
}

#[given(expr = "{cells} responds to {about}{string} with the {media} {string}")]
fn responds_with_typed_body(
    step: &mut Meaning,
    cells: Cells,
    about: About,
    path: String,
    media: MediaType,
    body: String,
) {
    let response = ScriptedResponse { status: 200, fields: vec![media.field()], body };
    step.condition(move |plan| script(plan, cells, &path, &about.scripted(response)));
}

#[given(expr = "{cells} sets {string} on its response to {string}")]
fn sets_a_field_on_its_response_to(step: &mut Meaning, cells: Cells, line: String, path: String) {
    step.condition(move |plan| set(plan, &cells, &path, FieldLines::read(&line)?));
}

#[given(expr = "{cells} sets on its response to {string}:")]
fn sets_on_its_response_to(step: &mut Meaning, cells: Cells, path: String) {
    let Some(lines) = step.doc_string::<FieldLines>() else { return };
    step.condition(move |plan| set(plan, &cells, &path, lines));
}

#[given(expr = "{cells} holds its response to {about}{string}")]
fn holds_its_response_to(step: &mut Meaning, cells: Cells, about: About, path: String) {
    let action = if about.preflight { ScriptedAction::HoldLearn } else { ScriptedAction::Hold };
    step.condition(move |plan| script(plan, cells, &path, &action));
}

fn set(
    plan: &mut ScenarioPlan,
    cells: &Cells,
    path: &str,
    FieldLines(lines): FieldLines,
) -> Result<(), String> {
    let mut fields: Vec<(String, Vec<String>)> = Vec::new();
    for (name, line) in lines {
        match fields.iter_mut().find(|(known, _)| known.eq_ignore_ascii_case(&name)) {
            Some((_, lines)) => lines.push(line),
            None => fields.push((name, vec![line])),
        }
    }
    for (name, lines) in fields {
        script(plan, cells.clone(), path, &ScriptedAction::Fields { name, lines })?;
    }
    Ok(())
}

fn script(
    plan: &mut ScenarioPlan,
    cells: Cells,
    path: &str,
    action: &ScriptedAction,
) -> Result<(), String> {
    for cell in cells.of(plan)? {
        plan.fleet.scripts.push(Script { cell, path: path.to_owned(), action: action.clone() });
    }
    Ok(())
}
