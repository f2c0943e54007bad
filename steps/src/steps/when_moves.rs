//! When steps in which an organization moves in phases.

use cell_fleet::CellId;
use cucumber::when;

use super::meaning::Meaning;
use super::parameters::Cell;
use crate::action::{Action, WorldAction};

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
