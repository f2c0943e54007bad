//! Given steps about how the cells draw the ids of rows.

use cell_fleet::IdStrategy;
use cucumber::given;

use super::meaning::Meaning;
use super::parameters::{Cell, Number};
use crate::plan::ScenarioPlan;

#[given(expr = "cells draw ids from ranges of {number}")]
fn cells_draw_ids_from_ranges_of(step: &mut Meaning, size: Number) {
    step.condition(move |plan| {
        choose(plan, IdStrategy::Ranges);
        plan.fleet.id_plan.range_size = size.0;
    });
}

#[given(expr = "a cell asks for its next range when {number} ids are left")]
fn cell_asks_for_next_range_when_ids_are(step: &mut Meaning, left: Number) {
    step.condition(move |plan| plan.fleet.id_plan.refill_ahead = left.0);
}

#[given(expr = "ids carry the number of their cell")]
fn ids_carry_the_number_of_their_cell(step: &mut Meaning) {
    step.condition(move |plan| choose(plan, IdStrategy::CellBits));
}

#[given(expr = "{cell} has the number {number} in ids")]
fn has_the_number_in_ids(step: &mut Meaning, cell: Cell, number: Number) {
    step.condition(move |plan| {
        plan.fleet.id_plan.cell_numbers.insert(cell.0, number.0);
    });
}

#[given(expr = "only top-level rows have unique ids")]
fn only_top_level_rows_have_unique_ids(step: &mut Meaning) {
    step.condition(move |plan| choose(plan, IdStrategy::SomeTables));
}

#[given(expr = "ids that are unique on a cell begin with {number}")]
fn ids_that_are_unique_on_a_cell_begin(step: &mut Meaning, first: Number) {
    step.condition(move |plan| plan.fleet.id_plan.local_start = first.0);
}

#[given(expr = "rows have UUIDs beside their numbers")]
fn rows_have_uuids_beside_their_numbers(step: &mut Meaning) {
    step.condition(move |plan| choose(plan, IdStrategy::Uuid));
}

#[given(expr = "numbers lead to no row any more")]
fn numbers_lead_to_no_row_any_more(step: &mut Meaning) {
    step.condition(move |plan| plan.fleet.id_plan.keeps_numbers = false);
}

fn choose(plan: &mut ScenarioPlan, strategy: IdStrategy) {
    plan.fleet.id_plan.strategy = strategy;
}
