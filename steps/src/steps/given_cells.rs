//! Given steps about the cells and their content.

use cell_fleet::population::{PlannedRoute, Visibility};
use cell_fleet::{
    CellId, LoginBy, ReplicationLag, Script, ScriptedAction, ScriptedResponse, Topology, Version,
};

use super::definition::{Definition, given};
use super::doc_strings::FieldLines;
use super::parameters::{Cell, Cells, Number, RegionName};
use crate::action::{cold_path, long_path, rooted};
use crate::plan::ScenarioPlan;

/// The definitions.
pub(super) fn definitions() -> Vec<Definition> {
    vec![
        given("the cells and people of the documents", |_: &mut ScenarioPlan| {
            // A plan begins with them; the step says so to the reader.
        }),
        given(
            "a third cell in the {region} region",
            |plan: &mut ScenarioPlan, region: RegionName| {
                let cell = CellId::new(region.0, 2);
                if plan.fleet.topology.contains(&cell) {
                    return Err(format!("{cell} is there already"));
                }
                plan.fleet.topology.cells.push(cell);
                Ok(())
            },
        ),
        given(
            "{cell} is also in the topology, listed first",
            |plan: &mut ScenarioPlan, cell: Cell| join(plan, cell, 0),
        ),
        given(
            "{cell} is also in the topology, listed last",
            |plan: &mut ScenarioPlan, cell: Cell| join(plan, cell, plan.fleet.topology.cells.len()),
        ),
        given(
            "the installation of the cells {string}",
            |plan: &mut ScenarioPlan, cells: String| {
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
            },
        ),
        given("a fleet of one cell", |plan: &mut ScenarioPlan| {
            plan.fleet.topology = Topology::single_cell();
            let latest = plan.fleet.topology.latest.clone();
            for organization in &mut plan.fleet.population.organizations {
                organization.placement.cell = latest.clone();
            }
        }),
        given(
            "the namespace {string} on {cell}",
            |plan: &mut ScenarioPlan, path: String, cell: Cell| {
                // A row of the routes table, so that there is a page at every path below it.
                plan.fleet.population.add_route(PlannedRoute {
                    path: rooted(&path),
                    cell: cell.0,
                    exact: false,
                });
            },
        ),
        given(
            "{number} paths with different prefixes",
            |plan: &mut ScenarioPlan, places: Number| {
                // Owners all over the fleet: a cold pick must not depend on them.
                let cells = plan.fleet.topology.cells.clone();
                for (number, cell) in (0..places.0).zip(cells.iter().cycle()) {
                    plan.fleet.population.add_route(PlannedRoute {
                        path: cold_path(number),
                        cell: cell.clone(),
                        exact: false,
                    });
                }
            },
        ),
        given(
            "{number} paths with long names on {cell}",
            |plan: &mut ScenarioPlan, places: Number, cell: Cell| {
                let population = &mut plan.fleet.population;
                for number in 0..places.0 {
                    population.add_route(PlannedRoute {
                        path: long_path(number),
                        cell: cell.0.clone(),
                        exact: false,
                    });
                }
            },
        ),
        given(
            "the private namespace {string} on {cell}",
            |plan: &mut ScenarioPlan, path: String, cell: Cell| {
                plan.fleet.population.add_namespace(&path, cell.0, Visibility::Private);
            },
        ),
        given(
            "the route {string} on {cell}",
            |plan: &mut ScenarioPlan, path: String, cell: Cell| {
                plan.fleet.population.add_route(PlannedRoute { path, cell: cell.0, exact: false });
            },
        ),
        given(
            "the exact route {string} on {cell}",
            |plan: &mut ScenarioPlan, path: String, cell: Cell| {
                plan.fleet.population.add_route(PlannedRoute { path, cell: cell.0, exact: true });
            },
        ),
        given("the sign-in page is fixed on {cell}", |plan: &mut ScenarioPlan, cell: Cell| {
            plan.fleet.sign_in_cell = cell.0;
        }),
        given("the owner starts the login", |plan: &mut ScenarioPlan| {
            plan.fleet.login_by = Some(LoginBy::Owner);
        }),
        given("{cell} has the id {string}", |plan: &mut ScenarioPlan, cell: Cell, id: String| {
            if cell.0 != plan.fleet.topology.latest {
                return Err(format!("{} can be cast, so it keeps its id", cell.0));
            }
            plan.fleet.ids.insert(cell.0, id);
            Ok(())
        }),
        given("{cell} runs an older version", |plan: &mut ScenarioPlan, cell: Cell| {
            plan.fleet.older.insert(cell.0, Version::OLDER);
        }),
        given(
            "the endpoint {string} that only the latest version knows",
            |plan: &mut ScenarioPlan, path: String| {
                plan.fleet.population.add_endpoint(&path, Version::LATEST);
            },
        ),
        given(
            "the endpoint {string} that only the latest version knows and that belongs to {cell}",
            |plan: &mut ScenarioPlan, path: String, cell: Cell| {
                plan.fleet.population.add_endpoint(&path, Version::LATEST).owner = Some(cell.0);
            },
        ),
        given("the replicas lag until they are released", |plan: &mut ScenarioPlan| {
            plan.fleet.lag = ReplicationLag::UntilReleased;
        }),
        given(
            "{cells} responds to {string} with:",
            |plan: &mut ScenarioPlan, cells: Cells, path: String, response: ScriptedResponse| {
                script(plan, cells, path, ScriptedAction::Response(response))
            },
        ),
        given(
            "{cells} responds to a pre-flight about {string} with:",
            |plan: &mut ScenarioPlan, cells: Cells, path: String, response: ScriptedResponse| {
                script(plan, cells, path, ScriptedAction::LearnResponse(response))
            },
        ),
        given(
            "{cells} sets on its response to {string}:",
            |plan: &mut ScenarioPlan, cells: Cells, path: String, lines: FieldLines| {
                let mut fields: Vec<(String, Vec<String>)> = Vec::new();
                for (name, line) in lines.0 {
                    match fields.iter_mut().find(|(known, _)| known.eq_ignore_ascii_case(&name)) {
                        Some((_, lines)) => lines.push(line),
                        None => fields.push((name, vec![line])),
                    }
                }
                for (name, lines) in fields {
                    script(
                        plan,
                        Cells(cells.0.clone()),
                        path.clone(),
                        ScriptedAction::Fields { name, lines },
                    );
                }
            },
        ),
        given(
            "{cells} holds its response to {string}",
            |plan: &mut ScenarioPlan, cells: Cells, path: String| {
                script(plan, cells, path, ScriptedAction::Hold)
            },
        ),
        given(
            "{cells} holds its response to a pre-flight about {string}",
            |plan: &mut ScenarioPlan, cells: Cells, path: String| {
                script(plan, cells, path, ScriptedAction::HoldLearn)
            },
        ),
    ]
}

fn join(plan: &mut ScenarioPlan, Cell(cell): Cell, place: usize) -> Result<(), String> {
    let cells = &mut plan.fleet.topology.cells;
    if cells.contains(&cell) {
        return Err(format!("{cell} is there already"));
    }
    cells.insert(place, cell);
    Ok(())
}

fn script(plan: &mut ScenarioPlan, cells: Cells, path: String, action: ScriptedAction) {
    plan.fleet.scripts.push(Script { cell: cells.0, path, action });
}
