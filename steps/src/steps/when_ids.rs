//! When steps in which rows get ids, and in which people use the ids of records.

use cucumber::when;

use super::meaning::Meaning;
use super::parameters::{Cell, Number, Person, Route};
use crate::action::{Action, RequestKind, WorldAction};

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
