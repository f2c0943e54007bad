//! When steps in which the world around the users changes: cells, routers, organizations, time.

use cucumber::when;

use super::meaning::Meaning;
use super::parameters::{Cell, Number, RegionName};
use crate::action::{Action, CellGroup, RouterAction, WorldAction};

#[when(expr = "{cell} goes down")]
fn cell_down(step: &mut Meaning, cell: Cell) {
    step.action(Action::World(WorldAction::TakeDown(CellGroup::Cell(cell.0))));
}

#[when(expr = "{cell} comes back")]
fn cell_back(step: &mut Meaning, cell: Cell) {
    step.action(Action::World(WorldAction::BringBack(CellGroup::Cell(cell.0))));
}

#[when(expr = "{cell} restarts")]
fn cell_restart(step: &mut Meaning, cell: Cell) {
    step.action(Action::World(WorldAction::RestartCell(cell.0)));
}

#[when(expr = "the {region} region goes down")]
fn region_down(step: &mut Meaning, region: RegionName) {
    step.action(Action::World(WorldAction::TakeDown(CellGroup::Region(region.0))));
}

#[when(expr = "the {region} region comes back")]
fn region_back(step: &mut Meaning, region: RegionName) {
    step.action(Action::World(WorldAction::BringBack(CellGroup::Region(region.0))));
}

#[when(expr = "the faults end")]
fn faults_end(step: &mut Meaning) {
    step.action(Action::World(WorldAction::EndFaults));
}

#[when(expr = "the held response to {string} is released")]
fn release_held(step: &mut Meaning, path: String) {
    step.action(Action::World(WorldAction::ReleaseHeld { path }));
}

#[when(expr = "the held responses are released")]
fn release(step: &mut Meaning) {
    step.action(Action::World(WorldAction::Release));
}

#[when(expr = "the {region} router stops")]
fn router_stop(step: &mut Meaning, region: RegionName) {
    step.action(router(region, RouterAction::Stop));
}

#[when(expr = "the {region} router is told to stop")]
fn router_tell(step: &mut Meaning, region: RegionName) {
    step.action(router(region, RouterAction::TellToStop));
}

#[when(expr = "the {region} router restarts")]
fn router_restart(step: &mut Meaning, region: RegionName) {
    step.action(router(region, RouterAction::Restart));
}

#[when(expr = "the organization {string} moves to {cell}")]
fn moves(step: &mut Meaning, organization: String, cell: Cell) {
    step.action(Action::World(WorldAction::MoveOrganization { organization, cell: cell.0 }));
}

#[when(expr = "the namespace {string} is created on {cell}")]
fn create_namespace(step: &mut Meaning, path: String, cell: Cell) {
    step.action(Action::World(WorldAction::CreateNamespace { path, cell: cell.0 }));
}

#[when(expr = "the project {string} is created")]
fn create_project(step: &mut Meaning, path: String) {
    step.action(Action::World(WorldAction::CreateProject { path }));
}

#[when(expr = "the namespace {string} is renamed to {string}")]
fn rename(step: &mut Meaning, path: String, to: String) {
    step.action(Action::World(WorldAction::RenameNamespace { path, to }));
}

#[when(expr = "the connections of all users close")]
fn quiet(step: &mut Meaning) {
    step.action(Action::World(WorldAction::Quiet));
}

#[when(expr = "the replicas of the {region} region lag from now on")]
fn hold_replicas(step: &mut Meaning, region: RegionName) {
    step.action(Action::World(WorldAction::HoldReplicas { region: region.0 }));
}

#[when(expr = "the replicas are released")]
fn release_replicas(step: &mut Meaning) {
    step.action(Action::World(WorldAction::ReleaseReplicas));
}

#[when(expr = "{number} s pass on the clock of the cells")]
fn advance_clock(step: &mut Meaning, seconds: Number) {
    step.action(Action::World(WorldAction::AdvanceClock { seconds: seconds.0 }));
}

#[when(expr = "{number} ms pass")]
fn pass_time(step: &mut Meaning, ms: Number) {
    step.action(Action::World(WorldAction::PassTime { ms: ms.0 }));
}

#[when(expr = "the entries' time to live passes")]
fn pass_time_to_live(step: &mut Meaning) {
    step.action(Action::World(WorldAction::PassTimeToLive));
}

#[when(expr = "the time to live of learnt entries passes")]
fn pass_time_of_learnt(step: &mut Meaning) {
    step.action(Action::World(WorldAction::PassTimeOfLearnt));
}

fn router(region: RegionName, action: RouterAction) -> Action {
    Action::World(WorldAction::Router { region: region.0, action })
}
