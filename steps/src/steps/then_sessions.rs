//! Then steps about where sessions are read and written.

use cucumber::then;

use super::meaning::Meaning;
use super::parameters::Number;
use crate::judge;

#[then(expr = "no cell read the table {string}")]
fn no_cell_read_the_table(step: &mut Meaning, table: String) {
    step.check(move |trace| judge::table_not_read(trace, &table));
}

#[then(expr = "the table {string} was written {number} time(s)")]
fn the_table_was_written_time(step: &mut Meaning, table: String, times: Number) {
    step.check(move |trace| judge::table_written(trace, &table, times.size()));
}
