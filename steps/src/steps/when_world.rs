//! When steps in which the world around the users changes: cells, routers, organizations, time.

use super::definition::{Definition, when};
use super::parameters::{Cell, Number, RegionName};
use crate::action::{Action, CellGroup, RouterAction, WorldAction, expression};

/// The definitions.
pub(super) fn definitions() -> Vec<Definition> {
    [cells(), routers(), databases_and_time()].into_iter().flatten().collect()
}

fn cells() -> Vec<Definition> {
    vec![
        when(expression::CELL_DOWN, |Cell(cell): Cell| {
            Action::World(WorldAction::TakeDown(CellGroup::Cell(cell)))
        }),
        when(expression::CELL_BACK, |Cell(cell): Cell| {
            Action::World(WorldAction::BringBack(CellGroup::Cell(cell)))
        }),
        when(expression::CELL_RESTART, |Cell(cell): Cell| {
            Action::World(WorldAction::RestartCell(cell))
        }),
        when(expression::REGION_DOWN, |RegionName(region): RegionName| {
            Action::World(WorldAction::TakeDown(CellGroup::Region(region)))
        }),
        when(expression::REGION_BACK, |RegionName(region): RegionName| {
            Action::World(WorldAction::BringBack(CellGroup::Region(region)))
        }),
        when(expression::FAULTS_END, || Action::World(WorldAction::EndFaults)),
        when(expression::RELEASE_HELD, |path: String| {
            Action::World(WorldAction::ReleaseHeld { path })
        }),
        when(expression::RELEASE, || Action::World(WorldAction::Release)),
    ]
}

fn routers() -> Vec<Definition> {
    let router = |region: RegionName, action| {
        Action::World(WorldAction::Router { region: region.0, action })
    };
    vec![
        when(expression::ROUTER_STOP, move |region: RegionName| router(region, RouterAction::Stop)),
        when(expression::ROUTER_TELL, move |region: RegionName| {
            router(region, RouterAction::TellToStop)
        }),
        when(expression::ROUTER_RESTART, move |region: RegionName| {
            router(region, RouterAction::Restart)
        }),
    ]
}

fn databases_and_time() -> Vec<Definition> {
    vec![
        when(expression::MOVE, |organization: String, Cell(cell): Cell| {
            Action::World(WorldAction::MoveOrganization { organization, cell })
        }),
        when(expression::CREATE_NAMESPACE, |path: String, Cell(cell): Cell| {
            Action::World(WorldAction::CreateNamespace { path, cell })
        }),
        when(expression::CREATE_PROJECT, |path: String| {
            Action::World(WorldAction::CreateProject { path })
        }),
        when(expression::RENAME, |path: String, to: String| {
            Action::World(WorldAction::RenameNamespace { path, to })
        }),
        when(expression::RELEASE_REPLICAS, || Action::World(WorldAction::ReleaseReplicas)),
        when(expression::ADVANCE_CLOCK, |Number(seconds): Number| {
            Action::World(WorldAction::AdvanceClock { seconds })
        }),
        when(expression::PASS_TIME, |Number(ms): Number| {
            Action::World(WorldAction::PassTime { ms })
        }),
        when(expression::PASS_TIME_TO_LIVE, || Action::World(WorldAction::PassTimeToLive)),
        when(expression::PASS_TIME_OF_LEARNT, || Action::World(WorldAction::PassTimeOfLearnt)),
    ]
}
