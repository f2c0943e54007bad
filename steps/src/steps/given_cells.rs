//! Given steps about the cells and their content: people, organizations, groups with projects, and who
//! belongs to them.

use cell_fleet::population::{Home, PlannedRoute, PopulationError};
use cell_fleet::{CellId, LoginBy, Script, ScriptedAction, ScriptedResponse, Version};

use super::doc_strings::{DocString as _, FieldLines};
use super::parameters::{
    About, AndField, Cell, Cells, Covered, MediaType, Number, Owned, Person, Private, Route,
};
use crate::action::{cold_path, long_path, rooted};
use crate::plan::{ScenarioPlan, Visit};

given!("the organization {string} on {cell}", |plan, slug: String, cell: Cell| {
    plan.fleet.population.add_organization(&slug, &slug, cell.0);
});
given!(
    "the {private}group {string} on {cell}",
    |plan, private: Private, path: String, on: Cell| {
        plan.fleet.population.add_namespace(&path, on.0, private.0);
    }
);
given!(
    "the {private}group {string} of the organization {string}",
    |plan, private: Private, path: String, slug: String| {
        let home = Home::Organization(slug);
        plan.fleet.population.add_namespace(&path, home, private.0);
    }
);
given!(
    "the {private}project {string} with the id {number}",
    |plan, private: Private, path: String, id: Number| {
        let population = &mut plan.fleet.population;
        population.add_project(&path, &path, private.0).map_err(said)?.id = Some(id.0);
        Ok(())
    }
);
given!(
    "the project {string} is on {cell}, apart from its group",
    |plan, path: String, cell: Cell| {
        let split = path.split_once('/');
        let found = split.and_then(|(group, project)| {
            let namespaces = &mut plan.fleet.population.namespaces;
            let group = namespaces.iter_mut().find(|it| it.path == group)?;
            group.projects.iter_mut().find(|it| it.path == project)
        });
        found.ok_or_else(|| format!("there is no project `{path}`"))?.cell = Some(cell.0);
        Ok(())
    }
);
given!("{person} is a member of {string}", |plan, person: Person, path: String| {
    plan.fleet.population.add_member(&path, &person.0).map_err(said)
});

fn said(error: PopulationError) -> String {
    error.to_string()
}

given!("{person} is signed in", |plan, person: Person| {
    plan.signed_in.insert(person.0);
});
step!(
    given,
    "{person} visited {string}{route}",
    |step, person: Person, target: String, route: Route| {
        let region = match route {
            Route::Default => None,
            Route::Router(region) => Some(region),
            Route::Asking(_) | Route::Cell(_) => {
                return step.cannot_be_read("an earlier visit goes through a router".to_owned());
            }
        };
        step.condition(move |plan| plan.visits.push(Visit { person: person.0, region, target }));
    }
);

given!("{cell} is also in the topology", |plan, cell: Cell| {
    let cells = &mut plan.fleet.topology.cells;
    if cells.contains(&cell.0) {
        return Err(format!("{} is there already", cell.0));
    }
    cells.push(cell.0);
    Ok(())
});
given!("the installation of the cell(s) {string}", |plan, cells: String| {
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
given!("the {covered} {string} on {cell}", |plan, covered: Covered, path: String, cell: Cell| {
    // A row of the routes table, so that there is a page at every path below a namespace.
    plan.fleet.population.add_route(PlannedRoute {
        path: rooted(&path),
        cell: cell.0,
        exact: covered.0,
    });
});
given!("{number} paths with different prefixes", |plan, places: Number| {
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
given!("{number} paths with long names on {cell}", |plan, places: Number, cell: Cell| {
    let population = &mut plan.fleet.population;
    for number in 0..places.0 {
        population.add_route(PlannedRoute {
            path: long_path(number),
            cell: cell.0.clone(),
            exact: false,
        });
    }
});
given!("the sign-in page is fixed on {cell}", |plan, cell: Cell| {
    plan.fleet.sign_in_cell = cell.0
});
given!("the owner starts the login", |plan| plan.fleet.login_by = Some(LoginBy::Owner));
given!("{cell} has the id {string}", |plan, cell: Cell, id: String| {
    if cell.0 != plan.fleet.topology.latest {
        return Err(format!("{} can be cast, so it keeps its id", cell.0));
    }
    plan.fleet.ids.insert(cell.0, id);
    Ok(())
});
given!("{cell} runs an older version", |plan, cell: Cell| {
    plan.fleet.older.insert(cell.0, Version::OLDER);
});
given!(
    "the endpoint {string} that only the latest version knows{owned}",
    |plan, path: String, owned: Owned| {
        plan.fleet.population.add_endpoint(&path, Version::LATEST).owner = owned.0;
    }
);
given!(
    "{cells} responds to {about}{string} with:" with response: ScriptedResponse,
    |plan, cells: Cells, about: About, path: String| {
        script(plan, cells, &path, &about.scripted(response))
    }
);
step!(
    given,
    "{cells} responds to {about}{string} with the status {number}{and_field}",
    |step, cells: Cells, about: About, path: String, status: Number, field: AndField| {
        match ScriptedResponse::read(&format!("{}{}\n\n", status.0, field.0)) {
            Ok(response) => {
                step.condition(move |plan| script(plan, cells, &path, &about.scripted(response)));
            }
            Err(why) => step.cannot_be_read(why),
        }
    }
);
given!(
    "{cells} responds to {about}{string} with the {media} {string}",
    |plan, cells: Cells, about: About, path: String, media: MediaType, body: String| {
        let response = ScriptedResponse { status: 200, fields: vec![media.field()], body };
        script(plan, cells, &path, &about.scripted(response))
    }
);
given!(
    "{cells} sets {string} on its response to {string}",
    |plan, cells: Cells, line: String, path: String| {
        set(plan, &cells, &path, FieldLines::read(&line)?)
    }
);
given!(
    "{cells} sets on its response to {string}:" with lines: FieldLines,
    |plan, cells: Cells, path: String| set(plan, &cells, &path, lines)
);
given!(
    "{cells} holds its response to {about}{string}",
    |plan, cells: Cells, about: About, path: String| {
        let action = if about.preflight { ScriptedAction::HoldLearn } else { ScriptedAction::Hold };
        script(plan, cells, &path, &action)
    }
);

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
