//! Given steps about how the cells draw the ids of rows.

use cell_fleet::IdStrategy;

use super::definition::{Definition, given};
use super::parameters::{Cell, Number};
use crate::plan::ScenarioPlan;

/// The definitions.
pub(super) fn definitions() -> Vec<Definition> {
    let choose = |plan: &mut ScenarioPlan, strategy| plan.fleet.id_plan.strategy = strategy;
    vec![
        given(
            "cells draw ids from ranges of {number}",
            move |plan: &mut ScenarioPlan, size: Number| {
                choose(plan, IdStrategy::Ranges);
                plan.fleet.id_plan.range_size = size.0;
            },
        ),
        given(
            "a cell asks for its next range when {number} ids are left",
            |plan: &mut ScenarioPlan, left: Number| plan.fleet.id_plan.refill_ahead = left.0,
        ),
        given("ids carry the number of their cell", move |plan: &mut ScenarioPlan| {
            choose(plan, IdStrategy::CellBits);
        }),
        given(
            "{cell} has the number {number} in ids",
            |plan: &mut ScenarioPlan, cell: Cell, number: Number| {
                plan.fleet.id_plan.cell_numbers.insert(cell.0, number.0);
            },
        ),
        given("only top-level rows have unique ids", move |plan: &mut ScenarioPlan| {
            choose(plan, IdStrategy::SomeTables);
        }),
        given(
            "ids that are unique on a cell begin with {number}",
            |plan: &mut ScenarioPlan, first: Number| plan.fleet.id_plan.local_start = first.0,
        ),
        given("rows have UUIDs beside their numbers", move |plan: &mut ScenarioPlan| {
            choose(plan, IdStrategy::Uuid);
        }),
        given("numbers lead to no row any more", |plan: &mut ScenarioPlan| {
            plan.fleet.id_plan.keeps_numbers = false;
        }),
    ]
}
