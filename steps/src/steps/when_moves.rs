//! When steps in which an organization moves in phases.

use super::definition::{Definition, when};
use super::parameters::Cell;
use crate::action::{Action, MoveAction, WorldAction, expression};

/// The definitions.
pub(super) fn definitions() -> Vec<Definition> {
    let run = |organization, cell, through, tried| {
        let action = MoveAction::Run { organization, cell, through, tried };
        Action::World(WorldAction::Move(action))
    };
    vec![
        when(
            expression::MOVE_RUNS,
            move |organization: String, Cell(cell): Cell, through: String| {
                run(organization, cell, through, false)
            },
        ),
        when(
            expression::MOVE_TRIED,
            move |organization: String, Cell(cell): Cell, through: String| {
                run(organization, cell, through, true)
            },
        ),
        when(expression::MOVER_DIES, |organization: String, Cell(cell): Cell, phase: String| {
            Action::World(WorldAction::Move(MoveAction::Die { organization, cell, phase }))
        }),
        when(expression::MOVE_TAKEN_BACK, |organization: String| {
            Action::World(WorldAction::Move(MoveAction::TakeBack { organization }))
        }),
    ]
}
