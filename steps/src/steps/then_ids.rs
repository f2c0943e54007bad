//! Then steps about the ids of rows.

use cell_fleet::IdTable;
use cucumber::then;

use super::meaning::Meaning;
use super::parameters::{Cell, Number, Person};
use crate::judge;

#[then(expr = "{number} ids of {string} were drawn, none twice")]
fn ids_of_were_drawn_none_twice(step: &mut Meaning, count: Number, table: String) {
    step.check(move |trace| judge::drawn_once(trace, table_of(&table)?, count.size()));
}

#[then(expr = "every id names the cell that drew it")]
fn every_id_names_the_cell_that_drew_it(step: &mut Meaning) {
    step.check_by_plan(|trace, plan| judge::ids_name_their_cells(trace, plan).into());
}

#[then(expr = "the ids of {string} fit into {number} bits")]
fn the_ids_of_fit_into_bits(step: &mut Meaning, table: String, bits: Number) {
    step.check(move |trace| judge::ids_fit(trace, table_of(&table)?, bits.0));
}

#[then(expr = "every UUID is one of RFC 9562")]
fn every_uuid_is_one_of_rfc_9562(step: &mut Meaning) {
    step.check(judge::uuids_follow_the_rfc);
}

#[then(expr = "{number} cells drew the id {string} of {string}")]
fn cells_drew_the_id_of(step: &mut Meaning, cells: Number, id: String, table: String) {
    step.check(move |trace| judge::cells_drew(trace, table_of(&table)?, &id, cells.size()));
}

#[then(expr = "{cell} used {number} range(s) of {string}")]
fn used_range_of(step: &mut Meaning, cell: Cell, count: Number, table: String) {
    step.check(move |trace| judge::ranges_used(trace, &cell.0, table_of(&table)?, count.size()));
}

#[then(expr = "no two ranges of a table overlap")]
fn no_two_ranges_of_a_table_overlap(step: &mut Meaning) {
    step.check(judge::ranges_disjoint);
}

#[then(expr = "every id lies in a range of its cell")]
fn every_id_lies_in_a_range_of_its(step: &mut Meaning) {
    step.check_by_plan(|trace, plan| judge::ids_in_ranges(trace, plan).into());
}

#[then(expr = "the last id was drawn {number} ids after the one before")]
fn last_id_drawn_ids_after_one_before(step: &mut Meaning, ids: Number) {
    step.check(move |trace| judge::last_gap(trace, ids.0));
}

#[then(expr = "the move gave fresh ids to {number} rows")]
fn the_move_gave_fresh_ids_to_rows(step: &mut Meaning, rows: Number) {
    step.check(move |trace| judge::renumbered(trace, rows.size()));
}

#[then(expr = "{number} foreign keys led to a row before the move and after it")]
fn foreign_keys_led_row_before_move_and_after(step: &mut Meaning, count: Number) {
    step.check(move |trace| judge::references_kept(trace, count.size()));
}

#[then(expr = "{person} gets the record with the {string} {string}")]
fn gets_the_record_with_the(step: &mut Meaning, person: Person, member: String, value: String) {
    step.check(move |trace| judge::gets_record(trace, &person.0, &member, &value));
}

fn table_of(name: &str) -> Result<IdTable, String> {
    name.parse()
}
