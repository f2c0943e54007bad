//! What the model knows of a scenario, from its plan and its actions.

use std::collections::BTreeSet;

use cell_fleet::Protocol;
use cell_fleet::population::Home;

use super::model::{Change, Facts, Place, judge};
use crate::action::{Action, CellGroup, RouterAction, WorldAction};
use crate::plan::ScenarioPlan;
use crate::steps::CheckResult;
use crate::trace::Trace;

/// Lets the model judge a trace.
pub(crate) fn judged(trace: &Trace, plan: &ScenarioPlan) -> CheckResult {
    let violations = judge(&facts(plan, &trace.actions), trace);
    let violations = violations
        .into_iter()
        .filter_map(|violation| Some((violation.requirement.parse().ok()?, violation.why)));
    CheckResult::Violations(violations.collect())
}

/// What the model knows.
pub(super) fn facts(plan: &ScenarioPlan, actions: &[Action]) -> Facts {
    let fleet = &plan.fleet;
    let topology = &fleet.topology;
    let present = |cell: &cell_fleet::CellId| {
        if topology.contains(cell) { cell.clone() } else { topology.latest.clone() }
    };
    let place = |path: String, exact, cell, organization| Place { path, exact, cell, organization };
    let mut places = Vec::new();
    for route in &fleet.population.routes {
        let path = route.path.strip_suffix('/').unwrap_or(&route.path).to_owned();
        places.push(place(path, route.exact, present(&route.cell), None));
    }
    for organization in &fleet.population.organizations {
        let cell = present(&organization.placement.cell);
        let slug = &organization.slug;
        for parent in ["/organizations", "/api/organizations"] {
            let path = format!("{parent}/{slug}");
            places.push(place(path, false, cell.clone(), Some(slug.clone())));
        }
    }
    for namespace in &fleet.population.namespaces {
        let (cell, organization) = match &namespace.home {
            Home::Organization(slug) => {
                let found = fleet.population.organizations.iter().find(|it| it.slug == *slug);
                let cell = found.map_or(&topology.latest, |it| &it.placement.cell);
                (present(cell), Some(slug.clone()))
            }
            Home::Public => (topology.latest.clone(), None),
            Home::Cell(cell) => (present(cell), None),
        };
        let path = format!("/{}", namespace.path);
        for project in namespace.projects.iter().filter(|project| project.cell.is_some()) {
            let cell = project.cell.as_ref().map_or(cell.clone(), present);
            places.push(place(format!("{path}/{}", project.path), false, cell, None));
        }
        places.push(place(path, false, cell, organization));
    }
    // The fleet moves all rows below an organization's namespace with it.
    let namespaces: Vec<_> = places
        .iter()
        .filter_map(|place| Some((format!("{}/", place.path), place.organization.clone()?)))
        .collect();
    for place in places.iter_mut().filter(|place| place.organization.is_none()) {
        let above = namespaces.iter().find(|(above, _)| place.path.starts_with(above));
        place.organization = above.map(|(_, slug)| slug.clone());
    }
    Facts {
        protocol: fleet.protocol,
        cells: topology.cells.clone(),
        latest: topology.latest.clone(),
        places,
        changes: changes(plan, actions),
        faulty: faulty(plan),
        ttl_ms: plan.settings.ttl_ms,
        max_entries: plan.settings.max_entries,
        max_body: match fleet.protocol {
            Protocol::Buffering => plan.settings.max_buffered_body_bytes,
            Protocol::Learning => u64::MAX,
        },
    }
}

/// The cells with faults.
fn faulty(plan: &ScenarioPlan) -> BTreeSet<cell_fleet::CellId> {
    let cells = &plan.fleet.topology.cells;
    let mut faulty = BTreeSet::new();
    for fault in &plan.fleet.faults {
        match fault.cell() {
            Some(cell) => _ = faulty.insert(cell.clone()),
            None => faulty.extend(cells.iter().cloned()),
        }
    }
    faulty
}

/// What changes in the world, with the number of the action, counted from 1.
fn changes(plan: &ScenarioPlan, actions: &[Action]) -> Vec<(usize, Change)> {
    let cells = |group: &CellGroup| match group {
        CellGroup::Cell(cell) => vec![cell.clone()],
        CellGroup::Region(region) => plan.fleet.topology.cells_of(region).cloned().collect(),
    };
    let mut changes = Vec::new();
    for (number, action) in actions.iter().enumerate() {
        let Action::World(action) = action else { continue };
        let mut change = |change| changes.push((number + 1, change));
        match action {
            WorldAction::TakeDown(group) => change(Change::Down(cells(group))),
            WorldAction::BringBack(group) => change(Change::Up(cells(group))),
            WorldAction::RestartCell(cell) => {
                change(Change::Down(vec![cell.clone()]));
                change(Change::Up(vec![cell.clone()]));
            }
            WorldAction::EndFaults => change(Change::FaultsEnd),
            WorldAction::Router { region, action: RouterAction::Restart } => {
                change(Change::Restart(region.clone()));
            }
            WorldAction::Router { region, .. } => change(Change::Stop(region.clone())),
            WorldAction::MoveOrganization { organization, cell } => {
                change(Change::Move(organization.clone(), cell.clone()));
            }
            WorldAction::Release => change(Change::Release),
            WorldAction::ReleaseReplicas
            | WorldAction::PassTime { .. }
            | WorldAction::PassTimeToLive => {}
        }
    }
    changes
}
