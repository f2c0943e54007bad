//! When steps in which the world around the users changes: cells, routers, organizations, time.

use cucumber::when;

use super::meaning::Meaning;
use super::parameters::{Cell, CellGroup, Number, RegionName, RouterAction};
use crate::action::{Action, WorldAction};

#[when(expr = "{group} goes down")]
fn take_down(step: &mut Meaning, group: CellGroup) {
    step.action(Action::World(WorldAction::TakeDown(group)));
}

#[when(expr = "{group} comes back")]
fn bring_back(step: &mut Meaning, group: CellGroup) {
    step.action(Action::World(WorldAction::BringBack(group)));
}

#[when(expr = "{cell} restarts")]
fn cell_restart(step: &mut Meaning, cell: Cell) {
    step.action(Action::World(WorldAction::RestartCell(cell.0)));
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

#[when(expr = "the {region} router {router_action}")]
fn router(step: &mut Meaning, region: RegionName, action: RouterAction) {
    step.action(Action::World(WorldAction::Router { region: region.0, action }));
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

#[when(expr = "the time to live of learned entries passes")]
fn pass_time_of_learned(step: &mut Meaning) {
    step.action(Action::World(WorldAction::PassTimeOfLearned));
}
