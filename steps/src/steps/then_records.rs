//! Then steps about what cells hold: ids, sessions, organizations that move, jobs, commits, counters.

use cell_fleet::IdTable;
use cucumber::then;

use super::meaning::Meaning;
use super::parameters::{Cell, Number, Person, Sees};
use crate::judge::{self, Counts};

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

#[then(expr = "no cell read the table {string}")]
fn no_cell_read_the_table(step: &mut Meaning, table: String) {
    step.check(move |trace| judge::table_not_read(trace, &table));
}

#[then(expr = "the table {string} was written {number} time(s)")]
fn the_table_was_written_time(step: &mut Meaning, table: String, times: Number) {
    step.check(move |trace| judge::table_written(trace, &table, times.size()));
}

#[then(expr = "no two cells took writes of one organization")]
fn no_two_cells_took_writes_one_organization(step: &mut Meaning) {
    step.check(judge::one_writer);
}

#[then(expr = "{person} gets a job of {string}")]
fn gets_a_job_of(step: &mut Meaning, person: Person, project: String) {
    step.check(move |trace| judge::gets_job(trace, &person.0, &project));
}

#[then(expr = "{person} gets no job")]
fn gets_no_job(step: &mut Meaning, person: Person) {
    step.check(move |trace| judge::gets_no_job(trace, &person.0));
}

#[then(expr = "{number} jobs were given, none twice")]
fn jobs_were_given_none_twice(step: &mut Meaning, jobs: Number) {
    step.check(move |trace| judge::jobs_given_once(trace, jobs.size()));
}

#[then(expr = "{person} has cloned the commit {string}")]
fn has_cloned_the_commit(step: &mut Meaning, person: Person, title: String) {
    step.check(move |trace| judge::cloned_commit(trace, &person.0, &title));
}

#[then(expr = "{person} has cloned all that was pushed")]
fn has_cloned_all_that_was_pushed(step: &mut Meaning, person: Person) {
    step.check(move |trace| judge::cloned_all(trace, &person.0));
}

#[then(expr = "{person} {sees} the counts of {number} to-do item(s), {number} issue(s) \
             and {number} merge request(s)")]
fn sees_counts_to_do_item_issue_and_merge_request(
    step: &mut Meaning,
    person: Person,
    sees: Sees,
    todos: Number,
    issues: Number,
    merge_requests: Number,
) {
    step.check(move |trace| {
        let expected =
            Counts { todos: todos.0, issues: issues.0, merge_requests: merge_requests.0 };
        judge::counts(trace, &person.0, expected, sees.0)
    });
}

#[then(
    expr = "the write of {cell} to {string} took at least {number} ms longer than that of {cell}"
)]
fn write_took_longer(step: &mut Meaning, far: Cell, schema: String, by: Number, near: Cell) {
    step.check(move |trace| judge::write_took_longer(trace, &far.0, &near.0, &schema, by.0));
}
