//! Given steps about the cells and what lives on them.

use cell_fleet::population::{Route, Visibility};
use cell_fleet::{
    Act, CellId, LoginBy, ReplicationLag, Script, ScriptedResponse, Topology, Version,
};
use cucumber::gherkin::Step;
use cucumber::given;

use super::doc_string;
use super::parameters::{Cell, Cells, Number, RegionName};
use super::when_places::{cold_place, long_place};
use crate::people::{LiteralResponse, field_lines};
use crate::plan::ScenarioPlan;
use crate::world::World;

#[given("the cells and people of the documents")]
fn documents(world: &mut World) {
    // A plan begins with them; the step says so to the reader.
    let _ = world.plan();
}

#[given(expr = "a third cell in the {region} region")]
fn third_cell(world: &mut World, region: RegionName) {
    world.given(|plan| {
        let cell = CellId::new(region.0, 2);
        if plan.fleet.topology.contains(&cell) {
            return Err(format!("{cell} is there already"));
        }
        plan.fleet.topology.cells.push(cell);
        Ok(())
    });
}

#[given(expr = "{cell} is also in the topology, listed first")]
fn listed_first(world: &mut World, cell: Cell) {
    world.given(|plan| join(plan, cell, 0));
}

#[given(expr = "{cell} is also in the topology, listed last")]
fn listed_last(world: &mut World, cell: Cell) {
    world.given(|plan| join(plan, cell, plan.fleet.topology.cells.len()));
}

fn join(plan: &mut ScenarioPlan, Cell(cell): Cell, place: usize) -> Result<(), String> {
    let cells = &mut plan.fleet.topology.cells;
    if cells.contains(&cell) {
        return Err(format!("{cell} is there already"));
    }
    cells.insert(place, cell);
    Ok(())
}

#[given("a fleet of one cell")]
fn one_cell(world: &mut World) {
    world.given(|plan| {
        plan.fleet.topology = Topology::single_cell();
        let latest = plan.fleet.topology.latest.clone();
        for organization in &mut plan.fleet.population.organizations {
            organization.placement.cell = latest.clone();
        }
        Ok(())
    });
}

#[given(expr = "the namespace {string} on {cell}")]
fn public_namespace(world: &mut World, path: String, cell: Cell) {
    // A row of the routes table, so that there is a page at every path below it.
    world.plan().fleet.population.add_route(Route {
        path: format!("/{}", path.trim_start_matches('/')),
        cell: cell.0,
        exact: false,
    });
}

#[given(expr = "{number} paths with different prefixes")]
fn cold_places(world: &mut World, places: Number) {
    let plan = world.plan();
    // Owners all over the fleet: a cold pick must not depend on them.
    let cells = plan.fleet.topology.cells.clone();
    for (number, cell) in (0..places.0).zip(cells.iter().cycle()) {
        plan.fleet.population.add_route(Route {
            path: cold_place(number),
            cell: cell.clone(),
            exact: false,
        });
    }
}

#[given(expr = "{number} paths with long names on {cell}")]
fn long_places(world: &mut World, places: Number, cell: Cell) {
    let population = &mut world.plan().fleet.population;
    for number in 0..places.0 {
        population.add_route(Route {
            path: long_place(number),
            cell: cell.0.clone(),
            exact: false,
        });
    }
}

#[given(expr = "the private namespace {string} on {cell}")]
fn private_namespace(world: &mut World, path: String, cell: Cell) {
    world.plan().fleet.population.add_namespace(&path, cell.0, Visibility::Private);
}

#[given(expr = "the route {string} on {cell}")]
fn route(world: &mut World, path: String, cell: Cell) {
    world.plan().fleet.population.add_route(Route { path, cell: cell.0, exact: false });
}

#[given(expr = "the exact route {string} on {cell}")]
fn exact_route(world: &mut World, path: String, cell: Cell) {
    world.plan().fleet.population.add_route(Route { path, cell: cell.0, exact: true });
}

#[given(expr = "the sign-in page is fixed on {cell}")]
fn sign_in_cell(world: &mut World, cell: Cell) {
    world.plan().fleet.sign_in_cell = cell.0;
}

#[given("the owner starts the login")]
fn login_by_owner(world: &mut World) {
    world.plan().fleet.login_by = Some(LoginBy::Owner);
}

#[given("the asked cell starts the login")]
fn login_by_asked_cell(world: &mut World) {
    world.plan().fleet.login_by = Some(LoginBy::AskedCell);
}

#[given(expr = "{cell} has the id {string}")]
fn other_id(world: &mut World, cell: Cell, id: String) {
    world.given(|plan| {
        if cell.0 != plan.fleet.topology.latest {
            return Err(format!("{} can be cast, so it keeps its id", cell.0));
        }
        plan.fleet.ids.insert(cell.0, id);
        Ok(())
    });
}

#[given(expr = "{cell} runs an older version")]
fn older(world: &mut World, cell: Cell) {
    world.plan().fleet.older.insert(cell.0, Version::OLDER);
}

#[given(expr = "the endpoint {string} that only the latest version knows")]
fn new_endpoint(world: &mut World, path: String) {
    world.plan().fleet.population.add_endpoint(&path, Version::LATEST);
}

#[given(
    expr = "the endpoint {string} that only the latest version knows and that belongs to {cell}"
)]
fn new_endpoint_of(world: &mut World, path: String, cell: Cell) {
    world.plan().fleet.population.add_endpoint(&path, Version::LATEST).owner = Some(cell.0);
}

#[given("the replicas lag until they are released")]
fn held_replicas(world: &mut World) {
    world.plan().fleet.lag = ReplicationLag::UntilReleased;
}

#[given(expr = "{cells} responds to {string} with:")]
fn scripted_response(world: &mut World, cells: Cells, path: String, step: &Step) {
    world.given(|plan| script(plan, cells, path, Act::Response(response(step)?)));
}

#[given(expr = "{cells} responds to a pre-flight about {string} with:")]
fn scripted_learn_response(world: &mut World, cells: Cells, path: String, step: &Step) {
    world.given(|plan| script(plan, cells, path, Act::LearnResponse(response(step)?)));
}

#[given(expr = "{cells} sets on its response to {string}:")]
fn scripted_fields(world: &mut World, cells: Cells, path: String, step: &Step) {
    world.given(|plan| {
        let mut fields: Vec<(String, Vec<String>)> = Vec::new();
        for (name, line) in field_lines(doc_string(step)?).map_err(|error| error.to_string())? {
            match fields.iter_mut().find(|(known, _)| known.eq_ignore_ascii_case(&name)) {
                Some((_, lines)) => lines.push(line),
                None => fields.push((name, vec![line])),
            }
        }
        fields.into_iter().try_for_each(|(name, lines)| {
            script(plan, Cells(cells.0.clone()), path.clone(), Act::Fields { name, lines })
        })
    });
}

#[given(expr = "{cells} holds its response to {string}")]
fn held_response(world: &mut World, cells: Cells, path: String) {
    world.given(|plan| script(plan, cells, path, Act::Hold));
}

#[given(expr = "{cells} holds its response to a pre-flight about {string}")]
fn held_learn_response(world: &mut World, cells: Cells, path: String) {
    world.given(|plan| script(plan, cells, path, Act::HoldLearn));
}

fn response(step: &Step) -> Result<ScriptedResponse, String> {
    let LiteralResponse { status, fields, body } =
        LiteralResponse::parse(doc_string(step)?).map_err(|error| error.to_string())?;
    Ok(ScriptedResponse { status, fields, body })
}

fn script(plan: &mut ScenarioPlan, cells: Cells, path: String, act: Act) -> Result<(), String> {
    plan.fleet.scripts.push(Script { cell: cells.0, path, act });
    Ok(())
}
