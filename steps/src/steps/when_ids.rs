//! When steps in which rows get ids, and in which people use the ids of records.

use super::definition::{Definition, when};
use super::parameters::{Cell, Number, Person, Route};
use crate::action::{Action, IdAction, RequestKind, WorldAction, expression};

/// The definitions.
pub(super) fn definitions() -> Vec<Definition> {
    let world = |action| Action::World(WorldAction::Ids(action));
    vec![
        when(expression::INSERT, move |Cell(cell): Cell, Number(rows): Number, table: String| {
            world(IdAction::Insert { cell, rows, table })
        }),
        when(expression::INSERT_EVERYWHERE, move |Number(rows): Number, table: String| {
            world(IdAction::InsertEverywhere { rows, table })
        }),
        when(expression::IDS_STOP, move || world(IdAction::Stop)),
        when(expression::IDS_START, move || world(IdAction::Start)),
        when(expression::IDS_SLOW, move |Number(ms): Number| world(IdAction::Slow { ms })),
        when(expression::IDS_CRASH, move || world(IdAction::Crash)),
        when(expression::OF_RECORD, |person: Person, target: String, route: Route| {
            Action::request(person, RequestKind::OfRecord { target }, route)
        }),
    ]
}
