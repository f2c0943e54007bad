//! When steps in which the world around the users changes: cells, routers, organizations
//! that move, rows that get ids, time.

use cell_fleet::CellId;
use cucumber::when;

use super::meaning::Meaning;
use super::parameters::{Cell, CellGroup, Number, Person, RegionName, Route, RouterAction};
use crate::action::{Action, RequestKind, WorldAction};

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

#[when(expr = "the move of {string} to {cell} runs through {string}")]
fn move_runs(step: &mut Meaning, organization: String, cell: Cell, through: String) {
    step.action(run(organization, cell.0, through, false));
}

#[when(expr = "the move of {string} to {cell} is tried through {string}")]
fn move_tried(step: &mut Meaning, organization: String, cell: Cell, through: String) {
    step.action(run(organization, cell.0, through, true));
}

#[when(expr = "the mover of {string} to {cell} dies in {string}")]
fn mover_dies(step: &mut Meaning, organization: String, cell: Cell, phase: String) {
    step.action(Action::World(WorldAction::KillMover { organization, cell: cell.0, phase }));
}

#[when(expr = "the move of {string} is taken back")]
fn move_taken_back(step: &mut Meaning, organization: String) {
    step.action(Action::World(WorldAction::TakeMoveBack { organization }));
}

fn run(organization: String, cell: CellId, through: String, tried: bool) -> Action {
    Action::World(WorldAction::RunMove { organization, cell, through, tried })
}

#[when(expr = "{cell} inserts {number} row(s) into {string}")]
fn insert(step: &mut Meaning, cell: Cell, rows: Number, table: String) {
    step.action(Action::World(WorldAction::Insert { cell: cell.0, rows: rows.0, table }));
}

#[when(expr = "every cell inserts {number} row(s) into {string} at once")]
fn insert_everywhere(step: &mut Meaning, rows: Number, table: String) {
    step.action(Action::World(WorldAction::InsertEverywhere { rows: rows.0, table }));
}

#[when(expr = "the allocator of ids stops")]
fn ids_stop(step: &mut Meaning) {
    step.action(Action::World(WorldAction::StopIds));
}

#[when(expr = "the allocator of ids starts again")]
fn ids_start(step: &mut Meaning) {
    step.action(Action::World(WorldAction::StartIds));
}

#[when(expr = "the allocator of ids takes {number} ms for an answer")]
fn ids_slow(step: &mut Meaning, ms: Number) {
    step.action(Action::World(WorldAction::SlowIds { ms: ms.0 }));
}

#[when(expr = "the allocator of ids crashes once after its counter has moved")]
fn ids_crash(step: &mut Meaning) {
    step.action(Action::World(WorldAction::CrashIds));
}

#[when(expr = "{person} visits {string} of the last record{route}")]
fn of_record(step: &mut Meaning, person: Person, target: String, route: Route) {
    step.action(Action::request(person, RequestKind::OfRecord { target }, route));
}
